import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import { countActiveInstalls } from '../installations/active.ts';
import { type UpdatePolicyAt, updatePolicyNow } from '../installations/update-age.ts';
import { readNextPlugins } from '../similar/store.ts';
import { deleteRareKeywords } from './keyword-store.ts';
import { countCohorts, lockRound, saveActive, saveRound } from './round-store.ts';

/** Milliseconds between two batches, and between two looks for whether the next round is due. */
const PAUSE = { batch: 1000, idle: 10 * 60 * 1000 } as const;
/** Plugins in one transaction. */
const BATCH = 100;

/**
 * Counts active installs, versions in use and cohorts of the next batch of plugins, once on each UTC day. Several instances
 * count by turns; an interrupted round goes on where it was.
 * @returns whether there may be more to do at once
 */
export async function countNextInsights(db: Db, updates: UpdatePolicyAt, batch = BATCH): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const round = await lockRound(trx);
    if (!round) return false;
    const now = new Date(updates.now);
    const isNew = round.after_id === 0;
    if (isNew && dayOf(round.started_at) >= dayOf(now)) return false;
    const startedAt = isNew ? now : round.started_at;
    const ids = await readNextPlugins(trx, round.after_id, batch);
    if (ids.length > 0) {
      const { counts, versions } = await countActiveInstalls(trx, ids, {
        ...updates,
        now: startedAt.getTime(),
      });
      await saveActive(trx, { ids, counts, versions, day: startedAt });
      await countCohorts(trx, ids, startedAt);
    }
    const isLast = ids.length < batch;
    await saveRound(trx, { after: isLast ? 0 : (ids.at(-1) ?? 0), startedAt });
    return !isLast;
  });
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Counts while the app listens. */
export function countInsightsRegularly(
  app: FastifyInstance,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): void {
  const { db, clock: now } = app;
  repeatWhileListening(app, {
    every: PAUSE.idle,
    first: PAUSE.batch,
    log,
    failed: 'counting active installs failed',
    recovered: 'active installs are counted again',
    async run() {
      if (await countNextInsights(db, updatePolicyNow(app))) return PAUSE.batch;
      await deleteRareKeywords(db, new Date(now()));
      return PAUSE.idle;
    },
  });
}
