import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { ALL_TAG_ID } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import { implement } from '../../../http/implement.ts';
import type { Db } from '../../schema.ts';
import { findSeenPlugin } from '../plugins/access.ts';
import { cardsOf } from '../plugins/cards.ts';
import { readerOf } from '../plugins/plugins.ts';
import { countInRounds, every, type Round } from '../rounds/rounds.ts';
import { readListed } from '../search/store.ts';
import { countSimilar, readNearIds, readRareWords, readTaggedIds, readUsedTooIds } from './store.ts';

/** Plugins shown beside one. */
const SHOWN = 4;

/** What users of each plugin have too, counted once a day. */
export const SIMILAR_ROUND: Round = {
  table: 'similar_round',
  isDue: every(24 * 60 * 60 * 1000),
  batch: 100,
  count: countSimilar,
};

/** A word that one plugin in four has says nothing. */
const SHARE_MAX = 0.25;

/** What users of a plugin have too; then what has the same rare words; then the most popular of its first tag. */
async function similarIds(db: Db, id: number): Promise<number[]> {
  const found = new Set(await readUsedTooIds(db, id, SHOWN));
  for (const more of [readByWords, readTaggedIds]) {
    if (found.size >= SHOWN) break;
    for (const other of await more(db, id, SHOWN + found.size)) found.add(other);
  }
  return [...found].slice(0, SHOWN);
}

async function readByWords(db: Db, id: number, limit: number): Promise<number[]> {
  const words = await readRareWords(db, id);
  const listed = (await readListed(db, ALL_TAG_ID)) ?? 0;
  return readNearIds(db, id, { words, most: Math.floor(listed * SHARE_MAX), limit });
}

/** Plugins similar to one, and their counting while the app listens. */
export function similarRoutes(app: FastifyInstance, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): void {
  const { db } = app;
  implement(app, contract.listSimilar, async ({ query, request }) => {
    const reader = readerOf(request);
    const { id } = await findSeenPlugin(db, query.plugin_key, reader.caller);
    return { plugin_list: await cardsOf(db, await similarIds(db, id), reader) };
  });
  countInRounds(app, SIMILAR_ROUND, {
    log,
    failed: 'counting similar plugins failed',
    recovered: 'similar plugins are counted again',
  });
}
