import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { implement } from '../../../http/implement.ts';
import { findSeenPlugin } from '../plugins/access.ts';
import { cardsOf } from '../plugins/cards.ts';
import { readerOf } from '../plugins/plugins.ts';
import { countInRounds, type Round } from '../rounds/rounds.ts';
import { countSimilar, readSimilarIds } from './store.ts';

/** Plugins shown beside one. */
const SHOWN = 4;

/** What users of each plugin have too, counted once a day. */
export const SIMILAR_ROUND: Round = {
  table: 'similar_round',
  every: 24 * 60 * 60 * 1000,
  batch: 100,
  count: countSimilar,
};

/** Plugins similar to one, and their counting while the app listens. */
export function similarRoutes(app: FastifyInstance, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): void {
  const { db } = app;
  implement(app, contract.listSimilar, async ({ query, request }) => {
    const reader = readerOf(request);
    const { id } = await findSeenPlugin(db, query.plugin_key, reader.caller);
    return { plugin_list: await cardsOf(db, await readSimilarIds(db, id, SHOWN), reader) };
  });
  countInRounds(app, SIMILAR_ROUND, {
    log,
    failed: 'counting similar plugins failed',
    recovered: 'similar plugins are counted again',
  });
}
