import { cappedTotal } from '../../../shared/capped-total.ts';
import { BACKSTAGE_PAGE_SIZE } from '../../../shared/constants.ts';
import type { TrailEntry } from '../../../shared/entities/backstage.ts';
import type { DataOf, QueryOf } from '../../../shared/route.ts';
import type { insightRoutes } from '../../../shared/routes/insight.ts';
import { readTotals } from '../counters/store.ts';
import { decodeCursor, encodeCursor, LatestPlace } from '../plugins/list/cursor.ts';
import type { Db } from '../schema.ts';
import { countTrail, readTrailRows, type TrailFilter, type TrailRow } from './store.ts';

type Route = (typeof insightRoutes)['listTrail'];

/**
 * Who did what, newest first.
 * @throws BAD_CURSOR
 */
export async function listTrail(db: Db, query: QueryOf<Route>): Promise<DataOf<Route>> {
  const { cursor, limit = BACKSTAGE_PAGE_SIZE, ...filter } = query;
  const { action = '', target_kind = '', target_id = '', actor_id = 0 } = filter;
  const list = ['trail', action, target_kind, target_id, actor_id];
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, LatestPlace);
  const [found, total] = await Promise.all([
    readTrailRows(db, filter, { after, limit: limit + 1 }),
    totalOf(db, filter),
  ]);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    ...total,
    next_cursor: last ? encodeCursor([last.created_at.getTime(), last.id], list) : null,
    entry_list: rows.map(toEntry),
  };
}

async function totalOf(db: Db, filter: TrailFilter): Promise<ReturnType<typeof cappedTotal>> {
  if (Object.values(filter).some((value) => value !== undefined)) {
    return cappedTotal(await countTrail(db, filter));
  }
  return { total: (await readTotals(db, ['trail'])).trail, total_estimated: false };
}

function toEntry({ created_at, ...row }: TrailRow): TrailEntry {
  return { ...row, detail: { ...row.detail }, created_at: created_at.toISOString() };
}
