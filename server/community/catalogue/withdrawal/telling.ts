import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import { readNextToTell, tellInstallers } from './telling-store.ts';

/** Milliseconds between two looks for withdrawals of which somebody is still to be told. */
const INTERVAL = 5000;
/** Users in one statement: long enough to be cheap, short enough that nobody notices. */
const BATCH = 1000;

/**
 * Tells those who have installed what was withdrawn, oldest withdrawal first. Each batch is one statement, which inserts the
 * notices and keeps how far it came: after an interruption, or beside another instance, nobody is left out or told twice.
 * @returns number of notices
 */
export async function tellOfWithdrawals(
  db: Db,
  { now, closing, batch = BATCH }: { now: () => number; closing?: AbortSignal; batch?: number },
): Promise<number> {
  let told = 0;
  for (;;) {
    const next = closing?.aborted ? undefined : await readNextToTell(db);
    if (!next) return told;
    const count = await tellInstallers(db, next, { at: new Date(now()), limit: batch });
    // Another instance tells of it.
    if (count === undefined) return told;
    told += count;
  }
}

/** Tells of withdrawals while the app listens. */
export function startTelling(app: FastifyInstance, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): void {
  const { db, clock: now } = app;
  repeatWhileListening(app, {
    every: INTERVAL,
    log,
    failed: 'notices of withdrawals failed',
    recovered: 'users are told of withdrawals again',
    async run(closing) {
      await tellOfWithdrawals(db, { now, closing });
    },
  });
}
