import { type Kysely, sql } from 'kysely';

/** What people decide by on the page of a plugin: Markdown, licence, links and what is collected. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table plugin_text add column description_markdown jsonb
      check (jsonb_typeof(description_markdown) = 'object');
    comment on column plugin_text.description is 'As plain text, also where it was written in Markdown.';
    comment on column plugin_text.description_markdown is
      'What was written, and the blocks that were read from it; null for plain text, as all of earlier releases is.';
    alter table plugin
      add column license text not null default '',
      add column home_page text not null default '',
      add column source_url text not null default '',
      add column issues_url text not null default '',
      add column data_collected jsonb check (jsonb_typeof(data_collected) = 'object');
    comment on column plugin.license is 'An SPDX expression or free text.';
    comment on column plugin.data_collected is 'What the publisher declares to collect; null where they have declared nothing.'`.execute(
    db,
  );
}
