import { sql } from 'kysely';
import { insertFiles } from '../../media/store.ts';
import type { KeptFile } from '../../media/stored-files.ts';
import type { Db } from '../../schema.ts';

/** Versions of plugins that have no package yet, as `plugin_key version`. */
export async function readUnpacked(db: Db, pluginKeys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select p.plugin_key || ' ' || v.version as name from plugin_version v join plugin p on p.id = v.plugin_id
      where v.package_key is null and p.plugin_key = any (${[...pluginKeys]}::text[])`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** A stored package of one version. */
export type Packed = { pluginKey: string; version: string; file: KeptFile; manifest: unknown };

/** Gives versions their packages, where none has one yet; rows of files and versions come together. */
export async function namePackages(db: Db, packed: readonly Packed[]): Promise<void> {
  const rows = packed.map(({ pluginKey, version, file, manifest }) => ({
    plugin_key: pluginKey,
    version,
    manifest,
    file_key: file.key,
    bytes: file.bytes,
  }));
  await db.transaction().execute(async (trx) => {
    await insertFiles(
      trx,
      packed.map(({ file }) => file),
    );
    await sql`
      with given as (
        update plugin_version v
          set package_key = n.file_key, package_bytes = n.bytes, package_manifest = n.manifest
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
              as n (plugin_key text, version text, manifest jsonb, file_key text, bytes bigint),
            plugin p
          where p.plugin_key = n.plugin_key and v.plugin_id = p.id and v.version = n.version
            and v.package_key is null
          returning v.plugin_id, v.package_bytes
      )
      update plugin p set stored_bytes = p.stored_bytes + g.bytes
        from (select plugin_id, sum(package_bytes) as bytes from given group by plugin_id) g
        where p.id = g.plugin_id`.execute(trx);
  });
}
