import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { Language } from '../../../../shared/languages.ts';
import { cappedTotal } from '../../../../shared/paging.ts';
import type { BodyOf, DataOf, QueryOf } from '../../../../shared/route.ts';
import type { reportRoutes } from '../../../../shared/routes/report.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { findUsable } from '../../catalogue/plugins/store.ts';
import { languageOf } from '../../language.ts';
import { cutPage, decodeCursor, PlaceCount, PlaceMoment } from '../../pages.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { upsertUser } from '../../people/users.ts';
import { requiredText } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { decideReport } from './decide.ts';
import { listOwnReports } from './own.ts';
import { countReports, insertReport, type ReportRow, readReportRows, toReport } from './store.ts';

type Routes = typeof reportRoutes;

const Place = Type.Tuple([Type.Union([Type.Literal(0), Type.Literal(1)]), PlaceMoment, PlaceCount]);

/**
 * A page of all reports: open ones first, the oldest on top; then decided ones, the latest decision on top.
 * @throws BAD_CURSOR
 */
async function listReports(
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
  const { rows, next_cursor } = cutPage(found, limit, { list, placeOf });
  return {
    ...cappedTotal(total),
    next_cursor,
    report_list: rows.map((row) => toReport(row, language)),
  };
}

function placeOf({ id, created_at, decided_at }: ReportRow): [number, number, number] {
  return decided_at ? [1, decided_at.getTime(), id] : [0, created_at.getTime(), id];
}

/**
 * Reports a plugin to the administrators. A user has at most one open report of a plugin; another one changes nothing.
 * @throws PLUGIN_NOT_FOUND, VALIDATION_FAILED
 */
async function reportPlugin(
  db: Db,
  { plugin_key, kind = 'other', reason }: BodyOf<Routes['reportPlugin']>,
  { caller, now }: { caller: Caller; now: number },
): Promise<DataOf<Routes['reportPlugin']>> {
  const report = {
    user_id: caller.user_id,
    kind,
    reason: requiredText(reason, '/reason'),
    created_at: new Date(now),
  };
  await db.transaction().execute(async (trx) => {
    const plugin_id = await findUsable(trx, plugin_key);
    if (plugin_id === undefined) throw appError('PLUGIN_NOT_FOUND');
    await upsertUser(trx, caller);
    await insertReport(trx, { ...report, plugin_id });
  });
  return {};
}

/** Reports of users, and their decisions (R 4.9). */
export function reportsRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  const contextOf = (request: FastifyRequest) => ({
    caller: callerOf(request),
    now: now(),
    language: languageOf(request),
  });
  implement(app, contract.reportPlugin, ({ body, request }) => reportPlugin(db, body, contextOf(request)));
  implement(app, contract.listOwnReports, ({ query, request }) =>
    listOwnReports(db, query, { userId: callerOf(request).user_id, language: languageOf(request) }),
  );
  implement(app, contract.listReports, ({ query, request }) => listReports(db, query, languageOf(request)));
  implement(app, contract.decideReport, ({ body, request }) =>
    decideReport(db, body, { ...contextOf(request), fourEyes: app.community.fourEyes }),
  );
}
