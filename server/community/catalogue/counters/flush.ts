import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import type { FoundKeywords } from '../insights/keywords.ts';
import { indexPublishers } from '../publisher-names/indexing.ts';
import { indexPending } from '../search/index-store.ts';
import { aggregateChanges, reorderByPopularity } from './store.ts';
import { addViews, deleteOldViews } from './view-store.ts';
import type { ViewCounting } from './views.ts';

/** Milliseconds between two writes of views and aggregates. */
const FLUSH_INTERVAL = 5000;

/**
 * Writes deferred changes: views, then the order by popularity that depends on them, totals and daily statistics, and the
 * search index with the names of publishers. Views are kept for the next call if writing fails.
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
  await indexPublishers(db);
}

type Flushed = {
  db: Db;
  views: ViewCounting;
  keywords: FoundKeywords;
  now: () => number;
  log: FastifyBaseLogger;
};

/** Flushes every few seconds while the app listens, and once more on close. */
export function flushRegularly(app: FastifyInstance, { db, views, keywords, now, log }: Flushed): void {
  repeatWhileListening(app, {
    every: FLUSH_INTERVAL,
    first: FLUSH_INTERVAL,
    onceMore: true,
    log,
    failed: 'views and popularity could not be written',
    recovered: 'views and popularity are written again',
    async run() {
      await flush(db, views, now);
      await keywords.write(db);
    },
  });
}
