import { type Kysely, sql } from 'kysely';

/** The search index of help articles in all languages, written when an article is saved, or else by the next search. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table help_article_search (
      article_id bigint primary key references help_article on delete cascade,
      -- Of the article as it was then: another one means that the rest is out of date.
      updated_at timestamptz(3) not null,
      title tsvector not null,
      -- Title and text.
      words tsvector not null,
      -- Text by language, a line a block.
      plain jsonb not null check (jsonb_typeof(plain) = 'object')
    );
    create index help_article_search_words on help_article_search using gin (words) with (fastupdate = off);
  `.execute(db);
}
