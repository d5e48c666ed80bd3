import { ALL_TAG_ID } from '../../../../shared/constants.ts';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import type { Db } from '../../schema.ts';
import { queryOfKeyword } from '../search/query.ts';
import { type FoundPublisher, findPopularPublishers, findRarePublishers, readPublishers } from './store.ts';

/**
 * Publishers with all words of a keyword, or beginnings of words, in their name or handle: who is called so first, then
 * those of popular plugins. A word that few have is looked up by itself, so that neither costs more with more publishers.
 */
export async function suggestPublishers(db: Db, keyword: string, most: number): Promise<PublicUser[]> {
  const query = queryOfKeyword(keyword, ALL_TAG_ID);
  if (!query) return [];
  const popular = await findPopularPublishers(db, query, most);
  const rare = popular.length < most ? await findRarePublishers(db, query, most) : [];
  const found = new Map([...popular, ...rare].map((one) => [one.user_id, one]));
  const best = [...found.values()].sort(byRank).slice(0, most);
  if (best.length === 0) return [];
  return readPublishers(
    db,
    best.map(({ user_id }) => user_id),
  );
}

function byRank(a: FoundPublisher, b: FoundPublisher): number {
  return a.rank - b.rank || b.popularity - a.popularity || a.user_id - b.user_id;
}
