import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { implement } from '../../../http/implement.ts';
import { cardsOf } from '../plugins/cards.ts';
import { readerOf } from '../plugins/plugins.ts';
import { countInRounds, every, type Round } from '../rounds/rounds.ts';
import { countTrends, readTrendIds } from './store.ts';

/** More than a page shows: some may be on it already. */
const LISTED = 24;

/** How much each plugin is wanted now, counted once an hour. */
export const TREND_ROUND: Round = {
  table: 'trend_round',
  isDue: every(60 * 60 * 1000),
  batch: 1000,
  count: countTrends,
};

/** What is wanted now, and its counting while the app listens. */
export function trendsRoutes(app: FastifyInstance, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): void {
  const { db } = app;
  implement(app, contract.listTrending, async ({ query, request }) => {
    const reader = readerOf(request);
    const isNew = query.is_new === 1;
    const ids = await readTrendIds(db, { isNew, language: reader.language, limit: LISTED });
    return { plugin_list: await cardsOf(db, ids, reader) };
  });
  countInRounds(app, TREND_ROUND, {
    log,
    failed: 'counting what is wanted now failed',
    recovered: 'what is wanted now is counted again',
  });
}
