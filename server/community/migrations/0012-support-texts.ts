import { type Kysely, sql } from 'kysely';

/** Technical support by language. What is there already is the text of the default language and stays where it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`set constraints all immediate`.execute(db);
  await sql`alter table plugin_text add column support text not null default ''`.execute(db);
  await sql`
    comment on column plugin_text.support is
      'Technical support; empty for the default language, whose text is in the table plugin.'`.execute(db);
  await sql`comment on column plugin.support is 'Technical support in the default language.'`.execute(db);
}
