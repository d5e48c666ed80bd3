import type { Pool } from '../../server/database/pool.ts';

export const PLUGINS = 20_000;
export const PEOPLE = 100_000;
/**
 * Installs of the plugin at a rank: about a million together, half of the plugins have fewer than 16, as in Chrome's store.
 */
const INSTALLS_AT = '57000 / power(rank, 0.9)';

/** Tables whose triggers would do row by row what is inserted here. */
const TABLES = ['plugin', 'plugin_text', 'plugin_version', 'plugin_install', 'stored_file'];

/**
 * Fills an empty, migrated database with plugins of one version, and what people have installed. All are signed and have a
 * cover: signing changes the catalogue, and drawing costs time that is none of the checks.
 */
export async function fillInstalls(pool: Pool): Promise<{ installs: number; underSixteen: number }> {
  await pool.query('set synchronous_commit = off; set statement_timeout = 0');
  for (const table of TABLES) await pool.query(`alter table ${table} disable trigger user`);
  await pool.query(`
    insert into person (user_id, nick_name) values (1, 'Maker');
    insert into stored_file (file_key, extension, mime_type, bytes, release_key, release_bytes)
      select encode(sha256(n::text::bytea), 'hex'), 'json', 'application/json', 9000,
          encode(sha256(('r' || n)::bytea), 'hex'), 8000 from generate_series(1, ${PLUGINS}) n;
    insert into plugin (plugin_key, publisher_id, default_lang, audit_status, generated_from)
      select 'checked-' || n, 1, 'en-US', 2, '' from generate_series(1, ${PLUGINS}) n;
    insert into plugin_text (plugin_id, lang, name) select id, 'en-US', plugin_key from plugin;
    insert into plugin_version (plugin_id, version, audit_status, package_key, allowed_domains, signature)
      select id, '1.0.0', 2, encode(sha256(id::text::bytea), 'hex'), '{api.example.com}', 'e30.e30.bench' from plugin;
    update plugin p set current_version_id = v.id from plugin_version v where v.plugin_id = p.id;
    insert into catalogue_change (plugin_id, position, was_public) select id, id, true from plugin;
    update catalogue_revision set position = ${PLUGINS};
    insert into plugin_install (user_id, plugin_id, accepted_version_id)
      select 1 + (rank * 7919 + n::bigint * 104729) % ${PEOPLE}, p.id, p.current_version_id
        from (select *, id as rank from plugin) p,
          generate_series(1, greatest(1, (${INSTALLS_AT})::int)) n
      on conflict do nothing;
    insert into installed_revision (user_id) select distinct user_id from plugin_install`);
  await pool.query('vacuum analyze');
  for (const table of TABLES) await pool.query(`alter table ${table} enable trigger user`);
  const { rows } = await pool.query(`
    select sum(n)::int as installs, count(*) filter (where n < 16)::int as under
      from (select count(*) as n from plugin_install group by plugin_id) each_one`);
  return { installs: rows[0].installs, underSixteen: rows[0].under / PLUGINS };
}
