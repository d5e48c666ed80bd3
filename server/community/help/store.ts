import { sql } from 'kysely';
import type { Picture } from '../../../shared/entities/plugin.ts';
import type { PublicUser } from '../../../shared/entities/user.ts';
import type { Language, Texts } from '../../../shared/languages.ts';
import { publicUserOf } from '../people/users.ts';
import type { Db } from '../schema.ts';

type Table = 'help_article' | 'help_category';

export async function countHelp(db: Db, table: Table): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** @returns false for an unknown id */
export async function deleteHelp(db: Db, table: Table, id: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where id = ${id}`.execute(db);
  return numAffectedRows > 0n;
}

type CategoryRow = { id: number; name: Texts; default_lang: Language; article_count: number };

const countedCategories = sql`
  select c.id, c.name, c.default_lang, (select count(*) from help_article a where a.category_id = c.id) as article_count
    from help_category c`;

export async function readCategoryRows(db: Db): Promise<CategoryRow[]> {
  const { rows } = await sql<CategoryRow>`${countedCategories} order by position, id`.execute(db);
  return rows;
}

export async function readCategoryRow(db: Db, id: number): Promise<CategoryRow | undefined> {
  const { rows } = await sql<CategoryRow>`${countedCategories} where c.id = ${id}`.execute(db);
  return rows[0];
}

export type CategoryTexts = { name: Texts; default_lang: Language };

/** Adds a category after the others. @returns its id */
export async function insertCategory(
  db: Db,
  { name, default_lang }: CategoryTexts,
  createdBy: number | null,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into help_category (name, default_lang, position, created_by)
      select ${JSON.stringify(name)}, ${default_lang}, coalesce(max(position) + 1, 0), ${createdBy}::bigint from help_category
      returning id`.execute(db);
  return idOf(rows);
}

/** @returns false for an unknown category */
export async function updateCategory(
  db: Db,
  id: number,
  { name, default_lang }: CategoryTexts,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update help_category set name = ${JSON.stringify(name)}, default_lang = ${default_lang} where id = ${id}`.execute(
    db,
  );
  return numAffectedRows > 0n;
}

export type ArticleRow = {
  id: number;
  category_id: number | null;
  title: Texts;
  default_lang: Language;
  is_published: boolean;
  /** Languages with a text; a title may be missing. */
  written: Language[];
  updated_at: Date;
  updated_by: PublicUser | null;
};
export type WholeArticleRow = ArticleRow & { body: Texts };

const columns = sql`
  a.id, a.category_id, a.title, a.default_lang, a.is_published, a.updated_at,
  array(select jsonb_object_keys(a.body)) as written, ${publicUserOf('a.updated_by')} as updated_by`;

/** Reads articles by category and position, those without a category last; `published`: without drafts. */
export async function readArticleRows(db: Db, { published }: { published: boolean }): Promise<ArticleRow[]> {
  const { rows } = await sql<ArticleRow>`
    select ${columns} from help_article a left join help_category c on c.id = a.category_id
      where a.is_published or not ${published}
      order by c.position, c.id, a.position, a.id`.execute(db);
  return rows;
}

export async function readArticleRow(db: Db, id: number): Promise<WholeArticleRow | undefined> {
  const { rows } = await sql<WholeArticleRow>`
    select ${columns}, a.body from help_article a where a.id = ${id}`.execute(db);
  return rows[0];
}

/** An article without its position. */
export type ArticleContent = {
  category_id: number | null;
  title: Texts;
  body: Texts;
  default_lang: Language;
  is_published: boolean;
};

/** Adds an article after the others. @returns its id */
export async function insertArticle(db: Db, article: ArticleContent, by: number | null): Promise<number> {
  const { category_id, title, body, default_lang, is_published } = article;
  const { rows } = await sql<{ id: number }>`
    insert into help_article (category_id, title, body, default_lang, is_published, position, created_by, updated_by)
      select ${category_id}::bigint, ${JSON.stringify(title)}, ${JSON.stringify(body)}, ${default_lang},
          ${is_published}, coalesce(max(position) + 1, 0), ${by}::bigint, ${by}::bigint
        from help_article
      returning id`.execute(db);
  return idOf(rows);
}

export async function updateArticle(db: Db, id: number, article: ArticleContent, by: number): Promise<void> {
  const { category_id, title, body, default_lang, is_published } = article;
  await sql`
    update help_article
      set category_id = ${category_id}, title = ${JSON.stringify(title)}, body = ${JSON.stringify(body)},
        default_lang = ${default_lang}, is_published = ${is_published}, updated_by = ${by}, updated_at = now()
      where id = ${id}`.execute(db);
}

type SearchRow = {
  id: number;
  /** Of the indexed article. */
  updated_at: Date;
  title: string[];
  words: string[];
  plain: Texts;
};

export async function upsertSearchRow(
  db: Db,
  { id, updated_at, title, words, plain }: SearchRow,
): Promise<void> {
  await sql`
    insert into help_article_search (article_id, updated_at, title, words, plain)
      values (${id}, ${updated_at}, array_to_tsvector(${title}::text[]), array_to_tsvector(${words}::text[]),
        ${JSON.stringify(plain)})
      on conflict (article_id) do update
        set updated_at = excluded.updated_at, title = excluded.title, words = excluded.words, plain = excluded.plain`.execute(
    db,
  );
}

/** Reads published articles whose index row is missing or outdated. */
export async function readUnindexed(db: Db): Promise<WholeArticleRow[]> {
  const { rows } = await sql<WholeArticleRow>`
    select ${columns}, a.body from help_article a
      where a.is_published and not exists (
        select from help_article_search s where s.article_id = a.id and s.updated_at = a.updated_at
      )`.execute(db);
  return rows;
}

/** Maximum results of a search. */
const FOUND_MAX = 50;

type FoundArticle = Pick<ArticleRow, 'id' | 'category_id' | 'title' | 'default_lang' | 'updated_at'> & {
  plain: Texts;
};

/** Finds published articles, matches in the title first. */
export async function findArticles(db: Db, query: string): Promise<FoundArticle[]> {
  const { rows } = await sql<FoundArticle>`
    select a.id, a.category_id, a.title, a.default_lang, a.updated_at, s.plain
      from help_article_search s
        join help_article a on a.id = s.article_id
        left join help_category c on c.id = a.category_id
      where s.words @@ ${query}::tsquery and a.is_published
      order by s.title @@ ${query}::tsquery desc, c.position, c.id, a.position, a.id
      limit ${FOUND_MAX}`.execute(db);
  return rows;
}

/** Stores which pictures an article shows, except unknown ones. */
export async function linkPictures(db: Db, id: number, keys: readonly string[]): Promise<void> {
  await sql`
    delete from help_article_picture where article_id = ${id} and picture_key <> all(${[...keys]}::text[])`.execute(
    db,
  );
  await sql`
    insert into help_article_picture (article_id, picture_key)
      select ${id}, picture_key from picture where picture_key = any(${[...keys]}::text[])
      on conflict do nothing`.execute(db);
}

export async function readPictureRows(db: Db, keys: readonly string[]): Promise<Picture[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<Picture>`
    select picture_key as key, width, height, widths from picture
      where picture_key = any(${[...keys]}::text[])`.execute(db);
  return rows;
}

function idOf([row]: { id: number }[]): number {
  if (!row) throw new Error('insert returned no id');
  return row.id;
}
