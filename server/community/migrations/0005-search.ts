import { type Kysely, sql } from 'kysely';

/**
 * The search index in the source database (R 3.10): lexemes of the name, of name and intro, and of all texts, in
 * all languages of a plugin. Without fastupdate, searches never wait for pending index updates.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table plugin_search (
      plugin_id bigint primary key references plugin on delete cascade,
      name tsvector not null,
      headline tsvector not null,
      "full" tsvector not null
    );
    create index plugin_search_name on plugin_search using gin (name) with (fastupdate = off);
    create index plugin_search_headline on plugin_search using gin (headline) with (fastupdate = off);
    create index plugin_search_full on plugin_search using gin ("full") with (fastupdate = off);
    -- Frequent words must be known as such, or the planner takes the wrong road for them.
    alter table plugin_search alter column name set statistics 1000;
    alter table plugin_search alter column headline set statistics 1000;
    alter table plugin_search alter column "full" set statistics 1000;
  `.execute(db);
}
