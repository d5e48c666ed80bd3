import type { FastifyInstance } from 'fastify';
import { type Repeated, repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import { lockRound, type RoundTable, readNextPlugins, saveRound } from './store.ts';

/**
 * Milliseconds between two batches, and between two looks for whether the next round is due: soon while the catalogue is
 * empty or being filled, so that a new site need not wait for the next round.
 */
const PAUSE = { batch: 1000, unfilled: 5000, taken: 60 * 1000, idle: 60 * 1000 } as const;

/** Counting that goes through all plugins again and again. */
export type Round = {
  table: RoundTable;
  /** Whether the next round begins. */
  isDue: (lastStart: Date, now: Date) => boolean;
  /** Plugins in one transaction. */
  batch: number;
  /** Counts again what is known of these plugins. @param startedAt of the whole round */
  count: (trx: Db, pluginIds: readonly number[], startedAt: Date) => Promise<void>;
};

/** Due so many milliseconds after the start of the last round. */
export function every(milliseconds: number): Round['isDue'] {
  return (lastStart, now) => now.getTime() - lastStart.getTime() >= milliseconds;
}

/**
 * Counts the next batch of plugins, if a round is due or under way. Several instances count by turns; an interrupted round
 * goes on where it was.
 * @returns what to wait for: the next batch, a catalogue to count, another instance, or the next round
 */
export async function countNext(
  db: Db,
  { table, isDue, batch, count }: Round,
  now: number,
): Promise<keyof typeof PAUSE> {
  return db.transaction().execute(async (trx) => {
    const place = await lockRound(trx, table);
    if (!place) return 'taken';
    const isNew = place.after_id === 0;
    if (isNew && !isDue(place.started_at, new Date(now))) return 'idle';
    const startedAt = isNew ? new Date(now) : place.started_at;
    const ids = await readNextPlugins(trx, place.after_id, batch);
    if (isNew && (place.filling || ids.length === 0)) return 'unfilled';
    if (ids.length > 0) await count(trx, ids, startedAt);
    const isLast = ids.length < batch;
    await saveRound(trx, table, { after: isLast ? 0 : (ids.at(-1) ?? 0), startedAt });
    return isLast ? 'idle' : 'batch';
  });
}

/** Counts while the app listens. */
export function countInRounds(
  app: FastifyInstance,
  round: Round,
  texts: Pick<Repeated, 'log' | 'failed' | 'recovered'>,
): void {
  const { db, clock: now } = app;
  repeatWhileListening(app, {
    every: PAUSE.idle,
    first: PAUSE.batch,
    ...texts,
    async run() {
      return PAUSE[await countNext(db, round, now())];
    },
  });
}
