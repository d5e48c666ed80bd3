import { type Kysely, sql } from 'kysely';

/**
 * The month of a plugin's last update among its words, so that *updated within a year* asks for months and not for
 * beginnings of dates. The running service adds it to the plugins there are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into search_pending (plugin_id) select plugin_id from plugin_search order by plugin_id`.execute(
    db,
  );
}
