import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { hasTags } from './checklist/store.ts';
import { addViews, aggregateChanges, reorderByPopularity } from './counters/store.ts';
import type { ViewCounting } from './counters/views.ts';
import type { Db } from './schema.ts';
import { indexPending } from './search/index-store.ts';
import { type SweepParts, sweep } from './sweep/sweep.ts';

/** Views are written, and lists by popularity put in order, this often, milliseconds. */
const SETTLE_EVERY = 5000;

/**
 * Writes what requests left to be written later: counted views, then the order by popularity that follows from
 * them and from likes and installs, totals and figures of days, words to search by. Views that could not be written
 * are kept for the next time.
 */
export async function flush(db: Db, views: ViewCounting, now: () => number): Promise<void> {
  const counts = views.take();
  try {
    if (counts.size > 0) await addViews(db, counts, new Date(now()));
  } catch (error) {
    for (const [pluginId, count] of counts) views.add(pluginId, count);
    throw error;
  }
  await reorderByPopularity(db);
  await aggregateChanges(db);
  await indexPending(db);
}

/** Settles every few seconds while the app listens, and once more when it closes. */
export function flushRegularly(
  app: FastifyInstance,
  { db, views, now, log }: { db: Db; views: ViewCounting; now: () => number; log: FastifyBaseLogger },
): void {
  let running = Promise.resolve();
  const run = () => {
    running = running
      .then(() => flush(db, views, now))
      .catch((error) => log.warn({ err: error }, 'views and popularity could not be written'));
    return running;
  };
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    timer = setInterval(run, SETTLE_EVERY).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await run();
  });
}

/**
 * Tells whether visitors see any tags, at the start and every few seconds, and warns when there are none: publishers have
 * nothing to choose then, which nobody else would notice.
 */
export function watchTags(
  app: FastifyInstance,
  { db, log, onTags }: { db: Db; log: FastifyBaseLogger; onTags?: ((has: boolean) => void) | undefined },
): void {
  let last: boolean | undefined;
  const look = async () => {
    const has = await hasTags(db).catch(() => last);
    if (has === undefined || has === last) return;
    last = has;
    if (!has) log.warn('there are no tags to publish under or to browse by: add some in the backstage');
    onTags?.(has);
  };
  let looking = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    looking = look();
    await looking;
    timer = setInterval(() => {
      looking = looking.then(look);
    }, SETTLE_EVERY).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await looking;
  });
}

const MINUTE = 60_000;
/** What a killed program has left is looked at soon after the next start, and everything every hour. */
const FIRST_AFTER = MINUTE;
const EVERY = 60 * MINUTE;

/** Sweeps now and then while the app listens; closing waits for a sweep that is under way to stop. */
export function sweepRegularly(app: FastifyInstance, parts: Omit<SweepParts, 'dryRun' | 'signal'>): void {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;
  const run = () => {
    sweeping = sweepOnce(parts, stop.signal);
    timer = setTimeout(run, EVERY).unref();
  };
  app.addHook('onListen', async () => {
    timer = setTimeout(run, FIRST_AFTER).unref();
  });
  app.addHook('onClose', async () => {
    stop.abort();
    clearTimeout(timer);
    await sweeping;
  });
}

async function sweepOnce(parts: Omit<SweepParts, 'signal'>, signal: AbortSignal): Promise<void> {
  try {
    const swept = await sweep({ ...parts, signal });
    if (swept && Object.values(swept).some((count) => count > 0))
      parts.log.info(swept, 'swept the file store');
  } catch (error) {
    parts.log.warn({ err: error }, 'the file store could not be swept');
  }
}
