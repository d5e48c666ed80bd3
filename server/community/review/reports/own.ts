import { Type } from 'typebox';
import { BACKSTAGE_PAGE_SIZE } from '../../../../shared/constants.ts';
import type { OtherReport, OwnReport } from '../../../../shared/entities/site.ts';
import type { Language } from '../../../../shared/languages.ts';
import { cappedTotal } from '../../../../shared/paging.ts';
import type { DataOf, QueryOf } from '../../../../shared/route.ts';
import type { reportRoutes } from '../../../../shared/routes/report.ts';
import { cutPage, decodeCursor, encodeCursor, IdPlace, PlaceCount } from '../../pages.ts';
import type { Db } from '../../schema.ts';
import {
  countOtherReports,
  type OtherReportRow,
  readOwnCollectionReports,
  readOwnPublisherReports,
} from './own-store.ts';
import { countOwnReports, type ReportRow, readOwnReportRows, toReport } from './store.ts';

type ListRoute = (typeof reportRoutes)['listOwnReports'];
type Reader = { userId: number; language: Language };

/**
 * A page of the user's own reports, newest first, with their decisions but not the administrator; those of publishers and
 * collections only if they are asked for.
 * @throws BAD_CURSOR
 */
export async function listOwnReports(
  db: Db,
  { cursor, limit = BACKSTAGE_PAGE_SIZE, with_others: withOthers }: QueryOf<ListRoute>,
  { userId, language }: Reader,
): Promise<DataOf<ListRoute>> {
  if (withOthers) return listAllReports(db, { cursor, limit }, { userId, language });
  const list = ['own reports', userId];
  const [before] = cursor === undefined ? [] : decodeCursor(cursor, list, IdPlace);
  const [found, total] = await Promise.all([
    readOwnReportRows(db, { userId, before, limit: limit + 1 }),
    countOwnReports(db, userId),
  ]);
  const { rows, next_cursor } = cutPage(found, limit, { list, placeOf: ({ id }) => [id] });
  return {
    ...cappedTotal(total),
    next_cursor,
    report_list: rows.map((row) => toOwnReport(row, language)),
  };
}

/** The last id of each kind of report on the pages before; 0 for a kind without any yet. */
const AllPlace = Type.Tuple([PlaceCount, PlaceCount, PlaceCount]);

/** A page of all kinds together. Each has ids of its own, so that the cursor has a place in each. */
async function listAllReports(
  db: Db,
  { cursor, limit }: { cursor: string | undefined; limit: number },
  { userId, language }: Reader,
): Promise<DataOf<ListRoute>> {
  const list = ['own reports of all kinds', userId];
  const places = cursor === undefined ? [0, 0, 0] : decodeCursor(cursor, list, AllPlace);
  const [ofPlugins = 0, ofPublishers = 0, ofCollections = 0] = places;
  const asked = (place: number) => ({ userId, before: place || undefined, limit: limit + 1 });
  const [plugins, publishers, collections, total, others] = await Promise.all([
    readOwnReportRows(db, asked(ofPlugins)),
    readOwnPublisherReports(db, asked(ofPublishers)),
    readOwnCollectionReports(db, asked(ofCollections)),
    countOwnReports(db, userId),
    countOtherReports(db, userId),
  ]);
  const newest = [...plugins, ...publishers, ...collections].toSorted(
    (a, b) => b.created_at.getTime() - a.created_at.getTime(),
  );
  const shown = new Set(newest.slice(0, limit));
  const on = <T extends ReportRow | OtherReportRow>(rows: readonly T[]) =>
    rows.filter((row) => shown.has(row));
  const parts = [on(plugins), on(publishers), on(collections)];
  const next = parts.map((rows, kind) => rows.at(-1)?.id ?? places[kind] ?? 0);
  return {
    ...cappedTotal(total + others),
    next_cursor: newest.length > limit ? encodeCursor(next, list) : null,
    report_list: on(plugins).map((row) => toOwnReport(row, language)),
    other_list: [...on(publishers), ...on(collections)].map(toOtherReport),
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

function toOtherReport({ created_at, decided_at, ...row }: OtherReportRow): OtherReport {
  return {
    ...row,
    created_at: created_at.toISOString(),
    decided_at: decided_at?.toISOString() ?? null,
  };
}
