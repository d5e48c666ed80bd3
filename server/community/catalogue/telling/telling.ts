import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import { readNextPublication, tellNextFollowers } from './follower-store.ts';
import { readNextToTell, TOLD_OF, tellNext } from './store.ts';

/** Milliseconds between two looks for what somebody is still to be told. */
const INTERVAL = 5000;
/** Users in one statement: long enough to be cheap, short enough that nobody notices. */
const BATCH = 1000;
/** Milliseconds after which followers are not told of a version any more, such as one of a plugin that was hidden meanwhile. */
const NEWS_AGE_MAX = 7 * 24 * 60 * 60 * 1000;

type Telling = { now: () => number; closing?: AbortSignal; batch?: number };
type Batch = { at: Date; limit: number };

/**
 * Tells those who have installed it what was withdrawn, then what was deprecated, each in the order in which it happened. Each
 * batch is one statement, which inserts the notices and keeps how far it came: after an interruption, or beside another
 * instance, nobody is left out or told twice.
 * @returns number of notices
 */
export async function tellInstallers(db: Db, telling: Telling): Promise<number> {
  let told = 0;
  for (const what of TOLD_OF)
    told += await tellAll(
      telling,
      () => readNextToTell(db, what),
      (next, batch) => tellNext(db, what, next, batch),
    );
  return told;
}

/**
 * Tells followers of new versions and new plugins, in the same way.
 * @returns number of notices
 */
export function tellFollowers(db: Db, telling: Telling): Promise<number> {
  return tellAll(
    telling,
    () => readNextPublication(db, new Date(telling.now() - NEWS_AGE_MAX)),
    (next, batch) => tellNextFollowers(db, next, batch),
  );
}

async function tellAll<Next>(
  { now, closing, batch = BATCH }: Telling,
  readNext: () => Promise<Next | undefined>,
  tell: (next: Next, batch: Batch) => Promise<number | undefined>,
): Promise<number> {
  for (let told = 0; ; ) {
    const next = closing?.aborted ? undefined : await readNext();
    if (!next) return told;
    const count = await tell(next, { at: new Date(now()), limit: batch });
    // Another instance tells of it.
    if (count === undefined) return told;
    told += count;
  }
}

/** Tells of all that while the app listens. */
export function startTelling(app: FastifyInstance, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): void {
  const { db, clock: now } = app;
  repeatWhileListening(app, {
    every: INTERVAL,
    log,
    failed: 'notices of withdrawals, deprecations and news failed',
    recovered: 'users are told of withdrawals, deprecations and news again',
    async run(closing) {
      await tellInstallers(db, { now, closing });
      await tellFollowers(db, { now, closing });
    },
  });
}
