import { type RawBuilder, sql } from 'kysely';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import type { Report, ReportReason, ReportState } from '../../../../shared/entities/site.ts';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';
import { PLUGIN_PICTURES } from '../../catalogue/plugins/card-store.ts';
import { nameIn, namesOf } from '../../names.ts';
import { boundedCount } from '../../pages.ts';
import { publicUserFrom } from '../../people/users.ts';
import type { Db } from '../../schema.ts';

export type ReportRow = {
  id: number;
  plugin_key: string;
  default_lang: Language;
  is_hidden: boolean;
  names: Texts;
  icon: Picture | null;
  cover: Picture | null;
  kind: ReportReason;
  reason: string;
  reporter: PublicUser;
  state: ReportState;
  decision: string | null;
  warning: string | null;
  is_hiding: boolean;
  is_withdrawing: boolean;
  decided_by: PublicUser | null;
  decided_at: Date | null;
  created_at: Date;
};

/** A report for the response, with the plugin's name in one language. */
export function toReport(row: ReportRow, language: Language): Report {
  const {
    names,
    default_lang,
    is_hiding: _hiding,
    is_withdrawing: _withdrawing,
    created_at,
    decided_at,
    ...rest
  } = row;
  return {
    ...rest,
    plugin_name: nameIn({ names, default_lang }, language),
    created_at: created_at.toISOString(),
    decided_at: decided_at?.toISOString() ?? null,
  };
}

function userOf(column: 'r.user_id' | 'r.decided_by') {
  return sql`(
    select ${publicUserFrom('person')} from person where user_id = ${sql.ref(column)})`;
}

/** Selects report rows from `source`, which must have the alias r. */
function reportsOf(source: RawBuilder<unknown>) {
  return sql<ReportRow>`
    select r.id, p.plugin_key, p.default_lang, p.is_hidden, r.kind, r.reason, r.state, r.decision, r.warning,
        r.is_hiding, r.is_withdrawing, r.decided_at, r.created_at,
        ${namesOf('p.id')} as names,
        ${PLUGIN_PICTURES},
        ${userOf('r.user_id')} as reporter, ${userOf('r.decided_by')} as decided_by
      from ${source} join plugin p on p.id = r.plugin_id`;
}

/** Inserts a report, unless the user has an open one of the same plugin. */
export async function insertReport(
  db: Db,
  report: { plugin_id: number; user_id: number; kind: ReportReason; reason: string; created_at: Date },
): Promise<void> {
  await sql`
    insert into report (plugin_id, user_id, kind, reason, created_at)
      values (${report.plugin_id}, ${report.user_id}, ${report.kind}, ${report.reason}, ${report.created_at})
      on conflict (plugin_id, user_id) where state = 'open' do nothing`.execute(db);
}

/** A user's reports, newest first; `before` is the id of the last row of the page before. */
export async function readOwnReportRows(
  db: Db,
  { userId, before, limit }: { userId: number; before: number | undefined; limit: number },
): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    ${reportsOf(sql`report r`)}
      where r.user_id = ${userId} ${before === undefined ? sql`` : sql`and r.id < ${before}`}
      order by r.id desc limit ${limit}`.execute(db);
  return rows;
}

export function countOwnReports(db: Db, userId: number): Promise<number> {
  return boundedCount(db, sql`from report where user_id = ${userId}`);
}

type ReportFilter = { state?: ReportState | undefined; pluginKey?: string | undefined };
/** 0 for an open report, 1 for a decided one; the time it is ordered by, milliseconds since 1970; its id. */
type ReportPlace = readonly [number, number, number];

/** Open reports first, the oldest on top; then decided ones, the latest decision on top. */
export async function readReportRows(
  db: Db,
  { after, limit, ...filter }: ReportFilter & { after: ReportPlace | undefined; limit: number },
): Promise<ReportRow[]> {
  const at = after && new Date(after[1]);
  const condition = conditionOf(filter);
  const open =
    after?.[0] === 1
      ? sql`false`
      : sql`state = 'open' ${after ? sql`and (created_at, id) > (${at}, ${after[2]})` : sql``}`;
  const decided = sql`state <> 'open'
    ${after?.[0] === 1 ? sql`and (decided_at, id) < (${at}, ${after[2]})` : sql``}`;
  const { rows } = await sql<ReportRow>`
    ${reportsOf(sql`(
      select 0 as part, * from (
        select * from report where ${open} and ${condition} order by created_at, id limit ${limit}
      ) o
      union all
      select 1 as part, * from (
        select * from report where ${decided} and ${condition} order by decided_at desc, id desc limit ${limit}
      ) d
    ) r`)}
      order by r.part, case r.part when 0 then r.created_at end, case r.part when 0 then r.id end,
        r.decided_at desc, r.id desc
      limit ${limit}`.execute(db);
  return rows;
}

export function countReports(db: Db, filter: ReportFilter): Promise<number> {
  return boundedCount(db, sql`from report where ${conditionOf(filter)}`);
}

function conditionOf({ state, pluginKey }: ReportFilter) {
  const ofState = state === undefined ? sql`true` : sql`state = ${state}`;
  const ofPlugin =
    pluginKey === undefined
      ? sql`true`
      : sql`plugin_id = (select id from plugin where plugin_key = ${pluginKey})`;
  return sql`${ofState} and ${ofPlugin}`;
}

export async function readReportRow(db: Db, id: number): Promise<ReportRow | undefined> {
  const { rows } = await sql<ReportRow>`${reportsOf(sql`report r`)} where r.id = ${id}`.execute(db);
  return rows[0];
}

export type NewDecision = {
  id: number;
  state: Exclude<ReportState, 'open'>;
  decision: string | null;
  warning: string | null;
  is_hiding: boolean;
  is_withdrawing: boolean;
  decided_by: number;
  decided_at: Date;
};

/** Decides a report that is still open. @returns false when it was decided already */
export async function decideOpenReport(db: Db, decided: NewDecision): Promise<boolean> {
  const { rows } = await sql`
    update report set state = ${decided.state}, decision = ${decided.decision}, warning = ${decided.warning},
        is_hiding = ${decided.is_hiding}, is_withdrawing = ${decided.is_withdrawing}, decided_by = ${decided.decided_by}, decided_at = ${decided.decided_at}
      where id = ${decided.id} and state = 'open'
      returning id`.execute(db);
  return rows.length > 0;
}
