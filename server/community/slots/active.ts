import type { ActiveSlot } from '../../../shared/entities/site.ts';
import { cardsOf, type Reader } from '../plugins/cards/cards.ts';
import type { Db } from '../schema.ts';
import { readActiveSlotRows } from './store.ts';

/**
 * Slots whose time it is, read for each call. The gateway may share an anonymous answer for the contract's five
 * seconds, so that a visitor sees a slot begin or end at most that much late.
 * @param now milliseconds since 1970
 */
export async function listActiveSlots(db: Db, now: number, reader: Reader): Promise<ActiveSlot[]> {
  const rows = await readActiveSlotRows(db, new Date(now));
  const cards = await cardsOf(db, [...new Set(rows.map((row) => row.plugin_id))], reader);
  const byKey = new Map(cards.map((card) => [card.plugin_key, card]));
  return rows.flatMap(({ id, link, plugin_key }) => {
    const plugin = byKey.get(plugin_key);
    return plugin ? [{ id, link, plugin }] : [];
  });
}
