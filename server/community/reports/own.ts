import { Type } from 'typebox';
import { cappedTotal } from '../../../shared/capped-total.ts';
import { BACKSTAGE_PAGE_SIZE } from '../../../shared/constants.ts';
import type { OwnReport } from '../../../shared/entities/site.ts';
import type { Language } from '../../../shared/languages.ts';
import type { BodyOf, DataOf, QueryOf } from '../../../shared/route.ts';
import type { reportRoutes } from '../../../shared/routes/report.ts';
import { appError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import { findUsable } from '../interactions/store.ts';
import { rememberPerson } from '../people/store.ts';
import { neededText } from '../plain-text.ts';
import { decodeCursor, encodeCursor, PlaceCount } from '../plugins/list/cursor.ts';
import type { Db } from '../schema.ts';
import { toReport } from './reports.ts';
import { countOwnReports, insertReport, type ReportRow, readOwnReportRows } from './store.ts';

type Routes = typeof reportRoutes;

const Place = Type.Tuple([PlaceCount]);

/**
 * Reports a plugin to the administrators. A person has at most one open report of a plugin; the same again is harmless.
 * @throws PLUGIN_NOT_FOUND, VALIDATION_FAILED
 */
export async function reportPlugin(
  db: Db,
  { plugin_key, kind = 'other', reason }: BodyOf<Routes['reportPlugin']>,
  { caller, now }: { caller: Caller; now: number },
): Promise<DataOf<Routes['reportPlugin']>> {
  const report = {
    user_id: caller.user_id,
    kind,
    reason: neededText(reason, '/reason'),
    created_at: new Date(now),
  };
  await db.transaction().execute(async (trx) => {
    const plugin_id = await findUsable(trx, plugin_key);
    if (plugin_id === undefined) throw appError('PLUGIN_NOT_FOUND');
    await rememberPerson(trx, caller);
    await insertReport(trx, { ...report, plugin_id });
  });
  return {};
}

/**
 * A person's reports, newest first, with what became of them; who decided is not told.
 * @throws BAD_CURSOR
 */
export async function listOwnReports(
  db: Db,
  { cursor, limit = BACKSTAGE_PAGE_SIZE }: QueryOf<Routes['listOwnReports']>,
  { userId, language }: { userId: number; language: Language },
): Promise<DataOf<Routes['listOwnReports']>> {
  const list = ['own reports', userId];
  const [before] = cursor === undefined ? [] : decodeCursor(cursor, list, Place);
  const [found, total] = await Promise.all([
    readOwnReportRows(db, { userId, before, limit: limit + 1 }),
    countOwnReports(db, userId),
  ]);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    ...cappedTotal(total),
    next_cursor: last ? encodeCursor([last.id], list) : null,
    report_list: rows.map((row) => toOwnReport(row, language)),
  };
}

function toOwnReport(row: ReportRow, language: Language): OwnReport {
  const {
    reporter: _reporter,
    decided_by: _decider,
    is_hidden: _hidden,
    warning: _warning,
    ...own
  } = toReport(row, language);
  return own;
}
