import { sql } from 'kysely';

/** The help center: articles in categories, their pictures and their search. */
export const help = sql`
  create table help_category (
    id bigint generated always as identity primary key,
    name jsonb not null check (jsonb_typeof(name) = 'object'),
    default_lang text not null,
    position integer not null,
    created_by bigint,
    created_at timestamptz(3) not null default now()
  );
  comment on column help_category.name is 'By language.';
  -- The categories in their order.
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
  comment on column help_article.title is 'By language.';
  comment on column help_article.body is 'Markdown by language.';
  -- The articles in their order.
  create index help_article_in_order on help_article (position, id);
  -- Deleting a category keeps its articles, without a category.
  create index help_article_by_category on help_article (category_id);

  create table help_article_picture (
    article_id bigint not null references help_article on delete cascade,
    picture_key text not null references picture,
    primary key (article_id, picture_key)
  );
  comment on table help_article_picture is 'Pictures in the texts of articles: the sweep keeps them.';
  -- The sweep asks for each picture whether an article shows it.
  create index help_article_picture_by_key on help_article_picture (picture_key);

  create table help_article_search (
    article_id bigint primary key references help_article on delete cascade,
    updated_at timestamptz(3) not null,
    title tsvector not null,
    words tsvector not null,
    plain jsonb not null check (jsonb_typeof(plain) = 'object')
  );
  comment on table help_article_search is
    'The search index of articles, written when one is saved, or else by the next search.';
  comment on column help_article_search.updated_at is
    'Of the article at that time; if it differs from the article, the row is out of date.';
  comment on column help_article_search.words is 'Words of title and text.';
  comment on column help_article_search.plain is 'The text by language, a line for each block.';
  -- The search of the help center.
  create index help_article_search_words on help_article_search using gin (words) with (fastupdate = off);
`;
