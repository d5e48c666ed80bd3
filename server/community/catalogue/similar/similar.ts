import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { implement } from '../../../http/implement.ts';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import { findSeenPlugin } from '../plugins/access.ts';
import { cardsOf } from '../plugins/cards.ts';
import { readerOf } from '../plugins/plugins.ts';
import { countSimilar, lockRound, readNextPlugins, readSimilarIds, saveRound } from './store.ts';

/** Plugins shown beside one. */
const SHOWN = 4;
/** Milliseconds between two rounds through all plugins. */
const ROUND = 24 * 60 * 60 * 1000;
/** Milliseconds between two batches, and between two looks for whether the next round is due. */
const PAUSE = { batch: 1000, idle: 10 * 60 * 1000 } as const;
/** Plugins in one transaction. */
const BATCH = 100;

/**
 * Counts the next batch of plugins, if a round is due or under way. Several instances count by turns; an interrupted round
 * goes on where it was.
 * @returns whether there may be more to do at once
 */
export async function countNextSimilar(db: Db, now: number, batch = BATCH): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const round = await lockRound(trx);
    if (!round) return false;
    const isNew = round.after_id === 0;
    if (isNew && now - round.started_at.getTime() < ROUND) return false;
    const startedAt = isNew ? new Date(now) : round.started_at;
    const ids = await readNextPlugins(trx, round.after_id, batch);
    if (ids.length > 0) await countSimilar(trx, ids);
    const isLast = ids.length < batch;
    await saveRound(trx, { after: isLast ? 0 : (ids.at(-1) ?? 0), startedAt });
    return !isLast;
  });
}

/** Plugins similar to one, and their counting while the app listens. */
export function similarRoutes(app: FastifyInstance, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): void {
  const { db, clock: now } = app;
  implement(app, contract.listSimilar, async ({ query, request }) => {
    const reader = readerOf(request);
    const { id } = await findSeenPlugin(db, query.plugin_key, reader.caller);
    return { plugin_list: await cardsOf(db, await readSimilarIds(db, id, SHOWN), reader) };
  });
  repeatWhileListening(app, {
    every: PAUSE.idle,
    first: PAUSE.batch,
    log,
    failed: 'counting similar plugins failed',
    recovered: 'similar plugins are counted again',
    async run() {
      return (await countNextSimilar(db, now())) ? PAUSE.batch : PAUSE.idle;
    },
  });
}
