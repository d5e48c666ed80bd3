import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { aggregateChanges, reorderByPopularity } from './catalogue/counters/store.ts';
import { addViews, deleteOldViews } from './catalogue/counters/view-store.ts';
import type { ViewCounting } from './catalogue/counters/views.ts';
import { indexPending } from './catalogue/search/index-store.ts';
import { hasTags } from './catalogue/tags/store.ts';
import type { Db } from './schema.ts';
import { type SweepOptions, sweep } from './sweep/sweep.ts';

/** Milliseconds between two writes of views and aggregates. */
const FLUSH_INTERVAL = 5000;

/**
 * Writes deferred changes: views, then the order by popularity that depends on them, totals and daily statistics, and the
 * search index. Views are kept for the next call if writing fails.
 */
export async function flush(db: Db, views: ViewCounting, now: () => number): Promise<void> {
  const taken = views.take();
  const at = new Date(now());
  try {
    if (taken.length > 0) await addViews(db, taken, at);
  } catch (error) {
    views.putBack(taken);
    throw error;
  }
  await deleteOldViews(db, at);
  await reorderByPopularity(db);
  await aggregateChanges(db);
  await indexPending(db);
}

/** Flushes every few seconds while the app listens, and once more on close. */
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
    timer = setInterval(run, FLUSH_INTERVAL).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await run();
  });
}

/**
 * Checks at the start and every few seconds for visible tags, and warns without any: publishers then have nothing to choose,
 * which nobody else would notice.
 */
export function watchTags(
  app: FastifyInstance,
  { db, log, onTags }: { db: Db; log: FastifyBaseLogger; onTags?: ((has: boolean) => void) | undefined },
): void {
  let last: boolean | undefined;
  const check = async () => {
    const has = await hasTags(db).catch(() => last);
    if (has === undefined || has === last) return;
    last = has;
    if (!has) log.warn('there are no tags to publish under or to browse by: add some in the backstage');
    onTags?.(has);
  };
  let checking = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    checking = check();
    await checking;
    timer = setInterval(() => {
      checking = checking.then(check);
    }, FLUSH_INTERVAL).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await checking;
  });
}

const MINUTE = 60_000;
/** Milliseconds until the first sweep, which removes the files of killed processes, and between two sweeps. */
const FIRST_SWEEP = MINUTE;
const SWEEP_INTERVAL = 60 * MINUTE;

/** Sweeps regularly while the app listens; on close a running sweep ends early. */
export function sweepRegularly(app: FastifyInstance, options: Omit<SweepOptions, 'dryRun' | 'signal'>): void {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;
  const run = () => {
    sweeping = sweepOnce(options, stop.signal);
    timer = setTimeout(run, SWEEP_INTERVAL).unref();
  };
  app.addHook('onListen', async () => {
    timer = setTimeout(run, FIRST_SWEEP).unref();
  });
  app.addHook('onClose', async () => {
    stop.abort();
    clearTimeout(timer);
    await sweeping;
  });
}

async function sweepOnce(options: Omit<SweepOptions, 'signal'>, signal: AbortSignal): Promise<void> {
  try {
    const swept = await sweep({ ...options, signal });
    if (swept && Object.values(swept).some((count) => count > 0))
      options.log.info(swept, 'swept the file store');
  } catch (error) {
    options.log.warn({ err: error }, 'sweep failed');
  }
}
