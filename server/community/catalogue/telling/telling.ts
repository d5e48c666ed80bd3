import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import { readNextToTell, TOLD_OF, tellNext } from './store.ts';

/** Milliseconds between two looks for what somebody is still to be told. */
const INTERVAL = 5000;
/** Users in one statement: long enough to be cheap, short enough that nobody notices. */
const BATCH = 1000;

/**
 * Tells those who have installed it what was withdrawn, then what was deprecated, each in the order in which it happened. Each
 * batch is one statement, which inserts the notices and keeps how far it came: after an interruption, or beside another
 * instance, nobody is left out or told twice.
 * @returns number of notices
 */
export async function tellInstallers(
  db: Db,
  { now, closing, batch = BATCH }: { now: () => number; closing?: AbortSignal; batch?: number },
): Promise<number> {
  let told = 0;
  for (const what of TOLD_OF) {
    for (;;) {
      const next = closing?.aborted ? undefined : await readNextToTell(db, what);
      if (!next) break;
      const count = await tellNext(db, what, next, { at: new Date(now()), limit: batch });
      // Another instance tells of it.
      if (count === undefined) break;
      told += count;
    }
  }
  return told;
}

/** Tells of both while the app listens. */
export function startTelling(app: FastifyInstance, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): void {
  const { db, clock: now } = app;
  repeatWhileListening(app, {
    every: INTERVAL,
    log,
    failed: 'notices of withdrawals and deprecations failed',
    recovered: 'users are told of withdrawals and deprecations again',
    async run(closing) {
      await tellInstallers(db, { now, closing });
    },
  });
}
