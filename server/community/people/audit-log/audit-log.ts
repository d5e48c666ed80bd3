import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { AuditLogEntry } from '../../../../shared/entities/backstage.ts';
import { type Language, translated } from '../../../../shared/languages.ts';
import { cappedTotal } from '../../../../shared/paging.ts';
import type { DataOf, QueryOf } from '../../../../shared/route.ts';
import type { insightRoutes } from '../../../../shared/routes/insight.ts';
import { implement } from '../../../http/implement.ts';
import { languageOf } from '../../language.ts';
import { cutPage, decodeCursor, LatestPlace } from '../../pages.ts';
import { parseTimestamp } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { readTotals } from '../../tally.ts';
import {
  type AuditLogFilter,
  type AuditLogRow,
  countAuditLog,
  readAuditLogRows,
  readAuditLogSpan,
} from './store.ts';

type Route = (typeof insightRoutes)['listAuditLog'];

/**
 * A page of the audit log, newest first.
 * @throws BAD_CURSOR
 */
export async function listAuditLog(
  db: Db,
  query: QueryOf<Route>,
  language: Language,
): Promise<DataOf<Route>> {
  const { cursor, limit = BACKSTAGE_PAGE_SIZE, ...filter } = query;
  const { action = '', target_kind = '', target_id = '', actor_id = 0 } = filter;
  const list = ['trail', action, target_kind, target_id, actor_id];
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, LatestPlace);
  const [found, total] = await Promise.all([
    readAuditLogRows(db, filter, { after, limit: limit + 1 }),
    totalOf(db, filter),
  ]);
  const { rows, next_cursor } = cutPage(found, limit, {
    list,
    placeOf: ({ created_at, id }) => [created_at.getTime(), id],
  });
  return { ...total, next_cursor, entry_list: rows.map((row) => toEntry(row, language)) };
}

async function totalOf(db: Db, filter: AuditLogFilter): Promise<ReturnType<typeof cappedTotal>> {
  if (Object.values(filter).some((value) => value !== undefined)) {
    return cappedTotal(await countAuditLog(db, filter));
  }
  return { total: (await readTotals(db, ['trail'])).trail, total_estimated: false };
}

function toEntry({ created_at, target_names, ...row }: AuditLogRow, language: Language): AuditLogEntry {
  return {
    ...row,
    target_name: translated(row.target_name, target_names, language),
    detail: { ...row.detail },
    created_at: created_at.toISOString(),
  };
}

/** Spreadsheets recognize UTF-8 by it. */
export const BYTE_ORDER_MARK = '\uFEFF';
const HEAD = [
  'time',
  'actor_id',
  'actor',
  'action',
  'target_kind',
  'target_id',
  'target',
  'reason',
  'detail',
] as const;
const BATCH = 1000;

/** A time span: `from` is inclusive, `until` is exclusive. */
type Span = { from: Date; until: Date };

/**
 * The time span of a request; a missing end is unlimited.
 * @throws VALIDATION_FAILED for an invalid time
 */
function spanOf({ from, until }: { from?: string; until?: string }): Span {
  return {
    from: parseTimestamp(from ?? '1970-01-01T00:00:00Z', '/from'),
    until: parseTimestamp(until ?? '9999-12-31T23:59:59Z', '/until'),
  };
}

/** The log as CSV, oldest first, read in batches as the client consumes it, so that memory stays constant. */
export async function* trailCsv(
  db: Db,
  span: Span,
  { language, batch = BATCH }: { language: Language; batch?: number },
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(HEAD);
  let after: readonly [Date, number] | undefined;
  while (true) {
    const rows = await readAuditLogSpan(db, { ...span, after }, batch);
    if (rows.length > 0) yield rows.map((row) => lineOf(row, language)).join('');
    const last = rows.at(-1);
    if (!last || rows.length < batch) return;
    after = [last.created_at, last.id];
  }
}

function lineOf(
  { created_at, actor, action, target_kind, target_id, target_name, target_names, detail }: AuditLogRow,
  language: Language,
): string {
  const { reason = '', ...rest } = detail;
  return csvLine([
    created_at.toISOString(),
    String(actor.user_id),
    actor.nick_name,
    action,
    target_kind,
    target_id,
    translated(target_name, target_names, language),
    String(reason ?? ''),
    JSON.stringify(rest),
  ]);
}

/**
 * What spreadsheets interpret as the beginning of a formula, in full width too, also after white space: where a field begins,
 * and where one that separates fields by something else than commas sees a cell begin, whatever quotes say.
 */
const FORMULA = /(^|[;|\t\r\n])(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/gu;

/**
 * A line of CSV (RFC 4180), every field in quotes. What a spreadsheet would run as a formula gets an apostrophe in front, which
 * makes it a text.
 */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(field: string): string {
  return `"${field.replace(FORMULA, "$1'").replaceAll('"', '""')}"`;
}

/** The audit log, as a list and as CSV. */
export function auditLogRoutes(app: FastifyInstance): void {
  const { db } = app;
  implement(app, contract.listAuditLog, ({ query, request }) => listAuditLog(db, query, languageOf(request)));
  implement(app, contract.exportAuditLog, ({ query, reply, request }) => {
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="audit-log.csv"')
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .send(Readable.from(trailCsv(db, spanOf(query), { language: languageOf(request) })));
    return undefined;
  });
}
