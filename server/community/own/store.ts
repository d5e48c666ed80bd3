import { sql } from 'kysely';
import { AUDIT_WAITING } from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import type { Texts } from '../../../shared/languages.ts';
import { boundedCount } from '../bounded-count.ts';
import type { ListPlace } from '../plugins/list/cursor.ts';
import type { Db, StoredListing } from '../schema.ts';

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

/** A plugin of somebody's own: when it changed last, milliseconds since 1970, and what was handed in for it last. */
export type OwnRow = { plugin_id: number; sort_key: number; submission_id: number };

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

/** What was handed in last, with the version it is about. */
export type EditableRow = {
  submission_id: number;
  listing: StoredListing;
  findings: Finding[];
  audit_status: 1 | 2 | 3;
  reason: string | null;
  version: string;
  version_kind: 'new' | 'fixed';
  version_note: Texts;
  current_version: string | null;
};

export async function readEditableRow(db: Db, pluginId: number): Promise<EditableRow | undefined> {
  const { rows } = await sql<EditableRow>`
    select s.id as submission_id, s.listing, s.findings, s.audit_status, s.reason,
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
