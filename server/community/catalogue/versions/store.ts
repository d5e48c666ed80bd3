import { sql } from 'kysely';
import type { Db } from '../../schema.ts';
import { WITHDRAWN, type Withdrawn } from '../withdrawal/withdrawn.ts';

/** SQL for the version submitted last, which represents an unpublished plugin `p`. */
export const SUBMITTED_VERSION = sql`(
  select s.plugin_version_id from submission s where s.plugin_id = p.id and not s.is_superseded
    order by s.id desc limit 1)`;

/** A version before a change. */
export type VersionSnapshot = {
  id: number;
  version: string;
  has_passed: boolean;
  is_hidden: boolean;
  is_hidden_by_admin: boolean;
  is_withdrawn: boolean;
  is_current: boolean;
};

/**
 * Locks a plugin until the transaction ends and reads its versions; none when it was deleted in the meantime, unless those
 * are asked for.
 */
export async function lockVersions(
  trx: Db,
  pluginId: number,
  { isDeletedToo = false } = {},
): Promise<VersionSnapshot[]> {
  await sql`select from plugin where id = ${pluginId} for no key update`.execute(trx);
  const { rows } = await sql<VersionSnapshot>`
    select v.id, v.version, v.audit_status = 2 as has_passed, v.is_hidden,
        v.is_hidden and v.is_hidden_by_admin as is_hidden_by_admin, v.withdrawn_at is not null as is_withdrawn,
        coalesce(v.id = p.current_version_id, false) as is_current
      from plugin_version v join plugin p on p.id = v.plugin_id and (p.deleted_at is null or ${isDeletedToo})
      where v.plugin_id = ${pluginId} order by v.id`.execute(trx);
  return rows;
}

/** Stores who hid the version, or shows it. */
export async function setVersionHidden(
  trx: Db,
  versionId: number,
  hidden: { by: number; isAdmin: boolean } | null,
): Promise<void> {
  await trx
    .updateTable('plugin_version')
    .set({
      is_hidden: hidden !== null,
      hidden_by: hidden?.by ?? null,
      is_hidden_by_admin: hidden?.isAdmin ?? false,
    })
    .where('id', '=', versionId)
    .execute();
}

/**
 * Sets the version that users get. The time of the plugin's update does not change, so that switching back and forth does not
 * move it to the top of the latest plugins.
 */
export async function setCurrentVersion(trx: Db, pluginId: number, versionId: number | null): Promise<void> {
  await trx.updateTable('plugin').set({ current_version_id: versionId }).where('id', '=', pluginId).execute();
}

/** A package file, and what withholds it. */
type PackageFile = { name: string; withdrawn: Withdrawn | null };

/**
 * The package of a plugin, also of a deleted one: of the given version, or of the current one, else the newest.
 * @returns undefined for an unknown plugin; `file` is null for an unknown version and for one without a package
 */
export async function readPackageFile(
  db: Db,
  pluginKey: string,
  version: string | undefined,
): Promise<{ file: PackageFile | null } | undefined> {
  const { rows } = await sql<{ file: PackageFile | null }>`
    select (
        select jsonb_build_object('name', f.file_key || '.' || f.extension, 'withdrawn', ${WITHDRAWN})
          from plugin_version v join stored_file f on f.file_key = v.package_key
          where v.plugin_id = p.id and ${
            version === undefined
              ? sql`v.id = coalesce(p.current_version_id, v.id)`
              : sql`v.version = ${version}`
          }
          order by v.id desc limit 1
      ) as file
      from plugin p where p.plugin_key = ${pluginKey}`.execute(db);
  return rows[0];
}
