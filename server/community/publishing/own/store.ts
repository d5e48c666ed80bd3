import { sql } from 'kysely';
import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING, QUEUE_PLACES } from '../../../../shared/constants.ts';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { queueOrder } from '../../catalogue/submissions/store.ts';
import { boundedCount, type ListPlace } from '../../pages.ts';
import type { Db, StoredListing } from '../../schema.ts';
import { supersedeWaiting } from '../publish/store.ts';

/**
 * Deletes a plugin for everybody except the users who have installed it: its rows, packages and counters stay for them.
 * Call it in a transaction.
 * @returns false when it is deleted already
 */
export async function markDeleted(trx: Db, pluginId: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('plugin')
    .set({ deleted_at: at })
    .where('id', '=', pluginId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await supersedeWaiting(trx, pluginId);
  await sql`delete from plugin_search where plugin_id = ${pluginId}`.execute(trx);
  await sql`delete from recommendation where plugin_id = ${pluginId}`.execute(trx);
  await sql`delete from silent_install where plugin_id = ${pluginId}`.execute(trx);
  await sql`update resource_slot set is_disabled = true where plugin_id = ${pluginId}`.execute(trx);
  await sql`
    update publish_token set revoked_at = ${at} where plugin_id = ${pluginId} and revoked_at is null`.execute(
    trx,
  );
  return true;
}

/** A plugin of a user, the time of its last change (milliseconds since 1970) and its last submission. */
type OwnRow = { plugin_id: number; sort_key: number; submission_id: number };

/** A page of a user's plugins, the last changed first: one range of the index by publisher. */
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

/** The last submission of a plugin, with its version. */
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

/** The hidden ones of the tags with these codes. */
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
 * Places of submissions in the queue, counted from 1; those with more than `QUEUE_PLACES` before them are left out. One
 * range of the queue's index, however many ids there are.
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

/** The usual wait is estimated from this many of the latest decisions, and from no fewer than the minimum. */
const LATEST_DECISIONS = 50;
const DECISIONS_MIN = 5;

/**
 * The time, milliseconds, within which three quarters of the latest submissions got their first decision.
 * @param since earlier decisions are ignored
 * @returns undefined for too few decisions
 */
export async function readUsualWait(db: Db, since: Date): Promise<number | undefined> {
  const latest = [AUDIT_PASSED, AUDIT_REFUSED].map((status) => {
    const { from, id, key, ranges } = queueOrder(status);
    return sql`(
      select ${id} as id, l.created_at, l.decided_at from ${from}
        where ${sql.join(ranges, sql` or `)} and ${key} >= ${since} and l.decided_at is not null
        order by ${key} desc, ${id} desc limit ${LATEST_DECISIONS})`;
  });
  const { rows } = await sql<{ wait: number }>`
    select percentile_disc(0.75) within group (order by wait) as wait from (
      select extract(epoch from least(decided_at, first_decided_at) - created_at)::float8 * 1000 as wait
        from (${sql.join(latest, sql` union all `)} order by decided_at desc limit ${LATEST_DECISIONS}) latest
        cross join lateral (
          select min(r.created_at) as first_decided_at from review r where r.submission_id = latest.id
        ) first
    ) waits having count(*) >= ${DECISIONS_MIN}`.execute(db);
  return rows[0]?.wait;
}
