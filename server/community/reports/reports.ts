import { Type } from 'typebox';
import { cappedTotal } from '../../../shared/capped-total.ts';
import { BACKSTAGE_PAGE_SIZE } from '../../../shared/constants.ts';
import type { Report } from '../../../shared/entities/site.ts';
import { type Language, textIn } from '../../../shared/languages.ts';
import type { DataOf, QueryOf } from '../../../shared/route.ts';
import type { reportRoutes } from '../../../shared/routes/report.ts';
import { decodeCursor, encodeCursor, PlaceCount, PlaceMoment } from '../plugins/list/cursor.ts';
import type { Db } from '../schema.ts';
import { countReports, type ReportRow, readReportRows } from './store.ts';

type Routes = typeof reportRoutes;

const Place = Type.Tuple([Type.Union([Type.Literal(0), Type.Literal(1)]), PlaceMoment, PlaceCount]);

/**
 * What users have reported: open ones first by age, then the latest decisions.
 * @throws BAD_CURSOR
 */
export async function listReports(
  db: Db,
  { state, plugin_key: pluginKey, cursor, limit = BACKSTAGE_PAGE_SIZE }: QueryOf<Routes['listReports']>,
  language: Language,
): Promise<DataOf<Routes['listReports']>> {
  const list = ['reports', state ?? '', pluginKey ?? ''];
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, Place);
  const [found, total] = await Promise.all([
    readReportRows(db, { state, pluginKey, after, limit: limit + 1 }),
    countReports(db, { state, pluginKey }),
  ]);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    ...cappedTotal(total),
    next_cursor: last ? encodeCursor(placeOf(last), list) : null,
    report_list: rows.map((row) => toReport(row, language)),
  };
}

function placeOf({ id, created_at, decided_at }: ReportRow): [number, number, number] {
  return decided_at ? [1, decided_at.getTime(), id] : [0, created_at.getTime(), id];
}

/** A row as the wire has it, the plugin's name in one language. */
export function toReport(row: ReportRow, language: Language): Report {
  const { names, default_lang, is_hiding: _hiding, created_at, decided_at, ...rest } = row;
  return {
    ...rest,
    plugin_name: textIn(names, language, default_lang).text,
    created_at: created_at.toISOString(),
    decided_at: decided_at?.toISOString() ?? null,
  };
}
