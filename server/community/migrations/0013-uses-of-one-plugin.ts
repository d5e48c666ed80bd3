import { type Kysely, sql } from 'kysely';

/**
 * Likes and installs are looked up by user and plugin. With an index by plugin alone, which the planner may prefer, all likes
 * of a popular plugin would be read each time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index plugin_like_of_plugin on plugin_like (plugin_id, user_id);
    drop index plugin_like_by_plugin;
    create index plugin_install_of_plugin on plugin_install (plugin_id, user_id);
    drop index plugin_install_by_plugin;
  `.execute(db);
}
