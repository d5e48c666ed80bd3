import { type RawBuilder, sql } from 'kysely';
import { SORT_LATEST, SORT_POPULAR } from '../../../shared/constants.ts';

export type Sort = typeof SORT_LATEST | typeof SORT_POPULAR;

/** An order of `plugin_listing`, latest or largest first. */
export type ListingOrder = {
  /** The column, which has an index together with the tag and the id. */
  column: RawBuilder<unknown>;
  /** The column's value as a number, which a cursor contains. */
  key: RawBuilder<number>;
  /** The column's value from the number. */
  valueOf(key: number): Date | number;
};

/** Latest: milliseconds since 1970. Most popular: popularity. */
export const LISTING_ORDERS: Readonly<Record<Sort, ListingOrder>> = {
  [SORT_LATEST]: {
    column: sql.ref('updated_at'),
    key: sql<number>`(extract(epoch from updated_at) * 1000)::bigint`,
    valueOf: (key) => new Date(key),
  },
  [SORT_POPULAR]: {
    column: sql.ref('popularity'),
    key: sql<number>`popularity`,
    valueOf: (key) => key,
  },
};

/** SQL condition: the row comes after a place of the order. One index range begins there, because rows are compared. */
export function isAfter(order: ListingOrder, [key, id]: readonly [number, number]): RawBuilder<boolean> {
  return sql`(${order.column}, plugin_id) < (${order.valueOf(key)}, ${id})`;
}
