import { sql } from 'kysely';
import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING, QUEUE_PLACES } from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import type { Texts } from '../../../shared/languages.ts';
import { boundedCount, type ListPlace } from '../pages.ts';
import type { Db, StoredListing } from '../schema.ts';
import { queueOrder } from '../submissions/store.ts';

/**
 * Takes a plugin away from everybody but those who have installed it: they keep its rows, its packages and its
 * counters. To be called in a transaction.
 * @returns false when somebody else was faster
 */
export async function markDeleted(trx: Db, pluginId: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('plugin')
    .set({ deleted_at: at })
    .where('id', '=', pluginId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await trx
    .updateTable('submission')
    .set({ is_superseded: true })
    .where('plugin_id', '=', pluginId)
    .where('audit_status', '=', AUDIT_WAITING)
    .where('is_superseded', '=', false)
    .execute();
  await sql`delete from plugin_search where plugin_id = ${pluginId}`.execute(trx);
  await sql`delete from recommendation where plugin_id = ${pluginId}`.execute(trx);
  await sql`delete from silent_install where plugin_id = ${pluginId}`.execute(trx);
  await sql`update resource_slot set is_disabled = true where plugin_id = ${pluginId}`.execute(trx);
  await trx
    .updateTable('publish_token')
    .set({ revoked_at: at })
    .where('plugin_id', '=', pluginId)
    .where('revoked_at', 'is', null)
    .execute();
  return true;
}

/** A plugin of somebody's own: when it changed last, milliseconds since 1970, and what was submitted for it last. */
type OwnRow = { plugin_id: number; sort_key: number; submission_id: number };

/** A page of a person's plugins, what changed last first. One range of the index by publisher. */
export async function readOwnRows(
  db: Db,
  { userId, after, limit }: { userId: number; after: ListPlace | undefined; limit: number },
): Promise<OwnRow[]> {
  const { rows } = await sql<OwnRow>`
    select p.id as plugin_id, (extract(epoch from p.updated_at) * 1000)::bigint as sort_key, s.id as submission_id
      from plugin p
      cross join lateral (
        select id from submission where plugin_id = p.id and not is_superseded order by id desc limit 1
      ) s
      where p.publisher_id = ${userId} and p.deleted_at is null
        ${after ? sql`and (p.updated_at, p.id) < (${new Date(after[0])}, ${after[1]})` : sql``}
      order by p.updated_at desc, p.id desc limit ${limit}`.execute(db);
  return rows;
}

export function countOwn(db: Db, userId: number): Promise<number> {
  return boundedCount(db, sql`from plugin where publisher_id = ${userId} and deleted_at is null`);
}

/** What was submitted last, with the version it is about. */
type EditableRow = {
  submission_id: number;
  listing: StoredListing;
  findings: Finding[];
  created_at: Date;
  audit_status: 1 | 2 | 3;
  reason: string | null;
  version: string;
  version_kind: 'new' | 'fixed';
  version_note: Texts;
  current_version: string | null;
};

export async function readEditableRow(db: Db, pluginId: number): Promise<EditableRow | undefined> {
  const { rows } = await sql<EditableRow>`
    select s.id as submission_id, s.created_at, s.listing, s.findings, s.audit_status, s.reason,
        v.version, v.kind as version_kind, v.note as version_note, current.version as current_version
      from submission s
      join plugin p on p.id = s.plugin_id
      join plugin_version v on v.id = s.plugin_version_id
      left join plugin_version current on current.id = p.current_version_id
      where s.plugin_id = ${pluginId} and not s.is_superseded order by s.id desc limit 1`.execute(db);
  return rows[0];
}

/** Those of the tags with these codes that visitors do not see. */
export async function readHiddenTags(
  db: Db,
  codes: readonly string[],
): Promise<{ id: number; code: string; name: Texts }[]> {
  if (codes.length === 0) return [];
  const { rows } = await sql<{ id: number; code: string; name: Texts }>`
    select id, code, name from tag where is_hidden and code = any (${[...codes]}::text[]) order by position, id`.execute(
    db,
  );
  return rows;
}

/** Every version number there ever was of a plugin. */
export async function readVersionNumbers(db: Db, pluginId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('plugin_version')
    .select('version')
    .where('plugin_id', '=', pluginId)
    .execute();
  return rows.map(({ version }) => version);
}

/**
 * Which places submissions have among all that wait, counted from 1; those with more than `QUEUE_PLACES` before them
 * are left out. One stretch of the queue's index, however many are asked for.
 */
export async function readQueuePlaces(
  db: Db,
  submissionIds: readonly number[],
): Promise<Map<number, number>> {
  const { from, id, key, ranges } = queueOrder(AUDIT_WAITING);
  const { rows } = await sql<{ id: number; place: number }>`
    select id, place from (
      select ${id} as id, row_number() over (order by ${key}, ${id}) as place
        from ${from} where ${sql.join(ranges, sql` or `)} order by ${key}, ${id} limit ${QUEUE_PLACES + 1}
    ) first where id = any (${[...submissionIds]}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row.place]));
}

/** How much of the past tells what is usual: so many of the latest decisions, and no fewer than these. */
const [LATEST, FEWEST] = [50, 5];

/**
 * Milliseconds within which three of four of the latest decisions were made, each counted to the first one on its
 * submission.
 * @param since decisions before do not count
 * @returns undefined when there are too few
 */
export async function readUsualWait(db: Db, since: Date): Promise<number | undefined> {
  const latest = [AUDIT_PASSED, AUDIT_REFUSED].map((status) => {
    const { from, id, key, ranges } = queueOrder(status);
    return sql`(
      select ${id} as id, l.created_at, l.decided_at from ${from}
        where ${sql.join(ranges, sql` or `)} and ${key} >= ${since} and l.decided_at is not null
        order by ${key} desc, ${id} desc limit ${LATEST})`;
  });
  const { rows } = await sql<{ wait: number }>`
    select percentile_disc(0.75) within group (order by wait) as wait from (
      select extract(epoch from least(decided_at, first_decided_at) - created_at)::float8 * 1000 as wait
        from (${sql.join(latest, sql` union all `)} order by decided_at desc limit ${LATEST}) latest
        cross join lateral (
          select min(r.created_at) as first_decided_at from review r where r.submission_id = latest.id
        ) first
    ) waits having count(*) >= ${FEWEST}`.execute(db);
  return rows[0]?.wait;
}
