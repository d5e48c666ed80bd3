import { sql } from 'kysely';
import type { Db } from '../../schema.ts';

/** A package that was delivered to a person. */
export type Delivered = {
  userId: number;
  /** Name of the stored file. */
  packageName: string;
};

/** The approved version that a person has got. */
export type DownloadedVersion = { userId: number; pluginId: number; versionId: number };

/**
 * Finds the versions of delivered packages. Of several with the same content it is one of a plugin that the person has
 * installed, else the newest; nothing for a package that was never approved.
 */
export async function findVersions(db: Db, delivered: readonly Delivered[]): Promise<DownloadedVersion[]> {
  const keys = delivered.map(({ packageName }) => packageName.slice(0, packageName.indexOf('.')));
  const { rows } = await sql<DownloadedVersion>`
    select g.user_id as "userId", v.plugin_id as "pluginId", v.id as "versionId"
      from unnest(${delivered.map(({ userId }) => userId)}::bigint[], ${keys}::text[]) as g (user_id, package_key)
      cross join lateral (
        select o.id, o.plugin_id from plugin_version o where o.package_key = g.package_key and o.audit_status = 2
          order by exists (
            select from plugin_install
              where user_id = g.user_id and plugin_id = o.plugin_id and uninstalled_at is null
          ) desc, o.id desc limit 1
      ) v`.execute(db);
  return rows;
}

/** A download as it is kept: a hash of person and version, 16 bytes in hexadecimal. */
export type Download = { hash: string; pluginId: number; versionId: number };

/**
 * Counts downloads that did not count before, in any instance, in the figures of the day. Writing them again, for instance after a
 * lost connection, changes nothing.
 * @param downloads no hash twice
 */
export async function addDownloads(db: Db, downloads: readonly Download[], day: Date): Promise<void> {
  await sql`
    with given as (
      select decode(hash, 'hex') as download_hash, plugin_id, version_id
        from unnest(${downloads.map(({ hash }) => hash)}::text[], ${downloads.map(({ pluginId }) => pluginId)}::bigint[],
          ${downloads.map(({ versionId }) => versionId)}::bigint[]) as d (hash, plugin_id, version_id)
        where exists (select from plugin_version v where v.id = d.version_id)
    ), fresh as (
      insert into plugin_download (download_hash, plugin_version_id)
        select download_hash, version_id from given order by download_hash
        on conflict do nothing returning download_hash
    )
    insert into figure_change (plugin_id, day, figure, delta)
      select plugin_id, ${day.toISOString().slice(0, 10)}::date, 'downloads', count(*)
        from given join fresh using (download_hash) group by plugin_id`.execute(db);
}
