import type { PluginCard } from '../../../../shared/entities/plugin.ts';
import type { Db } from '../../schema.ts';
import { cardsOf, type Reader } from '../cards/cards.ts';
import { readRecommendedIds } from './store.ts';

/** Plugins in one showing of the recommended list. */
export const RECOMMENDED_SHOWN = 8;

/** A showing of the recommended plugins. Pages beyond the last begin again, so "refresh" always shows something. */
export async function listRecommended(
  db: Db,
  page: number,
  reader: Reader,
): Promise<{ plugin_list: PluginCard[]; page_count: number }> {
  const ids = await readRecommendedIds(db);
  const pageCount = Math.ceil(ids.length / RECOMMENDED_SHOWN);
  const start = pageCount === 0 ? 0 : (page % pageCount) * RECOMMENDED_SHOWN;
  const shown = ids.slice(start, start + RECOMMENDED_SHOWN);
  return { plugin_list: await cardsOf(db, shown, reader), page_count: pageCount };
}
