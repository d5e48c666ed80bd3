import { type Kysely, sql } from 'kysely';

/** The words of plugins that visitors do not see, in an index of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Administrators search the few refused plugins for words that most of the others have.
    create index plugin_search_unlisted on plugin_search using gin ("full") with (fastupdate = off)
      where not is_listed`.execute(db);
}
