import { sql } from 'kysely';
import type { Db } from '../schema.ts';

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
