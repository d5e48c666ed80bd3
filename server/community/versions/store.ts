import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** A version before a change. */
export type VersionSnapshot = {
  id: number;
  version: string;
  has_passed: boolean;
  is_hidden: boolean;
  is_current: boolean;
};

/** Locks a plugin until the transaction ends and reads its versions; none when it was deleted in the meantime. */
export async function lockVersions(trx: Db, pluginId: number): Promise<VersionSnapshot[]> {
  await sql`select from plugin where id = ${pluginId} for no key update`.execute(trx);
  const { rows } = await sql<VersionSnapshot>`
    select v.id, v.version, v.audit_status = 2 as has_passed, v.is_hidden,
        coalesce(v.id = p.current_version_id, false) as is_current
      from plugin_version v join plugin p on p.id = v.plugin_id and p.deleted_at is null
      where v.plugin_id = ${pluginId} order by v.id`.execute(trx);
  return rows;
}

export async function setVersionHidden(trx: Db, versionId: number, isHidden: boolean): Promise<void> {
  await trx.updateTable('plugin_version').set({ is_hidden: isHidden }).where('id', '=', versionId).execute();
}

/**
 * Sets the version that users get. The time of the plugin's update does not change, so that switching back and forth does not
 * move it to the top of the latest plugins.
 */
export async function setCurrentVersion(trx: Db, pluginId: number, versionId: number): Promise<void> {
  await trx.updateTable('plugin').set({ current_version_id: versionId }).where('id', '=', pluginId).execute();
}

/** File name of a plugin's package: of the given version, or of the current one, else the newest. */
export async function readPackageFile(
  db: Db,
  pluginId: number,
  version: string | undefined,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select f.file_key || '.' || f.extension as name
      from plugin_version v
      join plugin p on p.id = v.plugin_id
      join stored_file f on f.file_key = v.package_key
      where v.plugin_id = ${pluginId} and ${
        version === undefined ? sql`v.id = coalesce(p.current_version_id, v.id)` : sql`v.version = ${version}`
      }
      order by v.id desc limit 1`.execute(db);
  return rows[0]?.name;
}
