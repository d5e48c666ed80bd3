import { type Kysely, sql } from 'kysely';

/** The help center: articles in categories, and the pictures they show. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table help_category (
      id bigint generated always as identity primary key,
      name jsonb not null check (jsonb_typeof(name) = 'object'),
      default_lang text not null,
      position integer not null,
      created_by bigint,
      created_at timestamptz(3) not null default now()
    );
    create index help_category_in_order on help_category (position, id);

    create table help_article (
      id bigint generated always as identity primary key,
      category_id bigint references help_category on delete set null,
      title jsonb not null check (jsonb_typeof(title) = 'object'),
      body jsonb not null check (jsonb_typeof(body) = 'object'),
      default_lang text not null,
      is_published boolean not null default false,
      position integer not null,
      created_by bigint,
      updated_by bigint,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    );
    create index help_article_in_order on help_article (position, id);
    create index help_article_by_category on help_article (category_id);

    -- What articles show, so that the sweep leaves it alone.
    create table help_article_picture (
      article_id bigint not null references help_article on delete cascade,
      picture_key text not null references picture,
      primary key (article_id, picture_key)
    );
    create index help_article_picture_by_key on help_article_picture (picture_key);
  `.execute(db);
}
