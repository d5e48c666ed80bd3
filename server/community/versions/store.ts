import { sql } from 'kysely';
import type { Db } from '../schema.ts';

/** A version as a change of it needs it. */
export type VersionStanding = {
  id: number;
  version: string;
  has_passed: boolean;
  is_hidden: boolean;
  is_current: boolean;
};

/** All versions of a plugin, the plugin locked until the transaction ends; none when it was deleted meanwhile. */
export async function lockVersions(trx: Db, pluginId: number): Promise<VersionStanding[]> {
  await sql`select from plugin where id = ${pluginId} for no key update`.execute(trx);
  const { rows } = await sql<VersionStanding>`
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
 * Everybody who uses the plugin gets another version from now on. It is no update of the catalogue: nobody comes to the
 * top of the latest by going back and forth.
 */
export async function setCurrentVersion(trx: Db, pluginId: number, versionId: number): Promise<void> {
  await trx.updateTable('plugin').set({ current_version_id: versionId }).where('id', '=', pluginId).execute();
}

/** Name in the file store of a plugin's package: of the current version, else the newest, or of the one named. */
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
