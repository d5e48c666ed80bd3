import { type Kysely, sql } from 'kysely';

/**
 * Whether somebody likes or has a plugin is asked with both at hand. By the plugin alone, which looks as good for most
 * plugins, all likes of the one that everybody likes were read each time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index plugin_like_of_plugin on plugin_like (plugin_id, user_id);
    drop index plugin_like_by_plugin;
    create index plugin_install_of_plugin on plugin_install (plugin_id, user_id);
    drop index plugin_install_by_plugin;
  `.execute(db);
}
