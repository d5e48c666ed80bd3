import { sql } from 'kysely';
import type { MarkColor } from '../../../shared/constants.ts';
import type { Texts } from '../../../shared/languages.ts';
import { insertArticle, insertCategory } from '../help/store.ts';
import type { Db } from '../schema.ts';

export type FirstTag = { id: number; code: string; name: Texts };
export type FirstMark = { code: string; color: MarkColor; name: Texts };
export type FirstHelp = {
  categories: { slug: string; name: Texts }[];
  articles: { category: string; title: Texts; body: Texts }[];
};

/** Names of settings that are written once. */
export type Setting = 'demo_catalogue' | 'first_tags' | 'first_marks' | 'first_articles';

/** @returns the value of the first of these settings that was written, else undefined */
export async function readSetting(db: Db, ...names: Setting[]): Promise<unknown> {
  const rows = db.selectFrom('setting').select('value').where('name', 'in', names);
  return (await rows.executeTakeFirst())?.value;
}

export async function writeSetting(db: Db, name: Setting, content: string | boolean): Promise<void> {
  const value = JSON.stringify(content);
  await db
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Lets one instance at a time fill a catalogue; released with the transaction. */
export async function lockCatalogue(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('plugin-square demo catalogue', 0))`.execute(trx);
}

/** True without plugins and without other tags than those that a catalogue starts with. */
export async function isCatalogueEmpty(db: Db, tags: readonly FirstTag[]): Promise<boolean> {
  const { rows } = await sql`
    select from plugin
      union all select from tag where code <> all (${tags.map(({ code }) => code)}::text[]) limit 1`.execute(
    db,
  );
  return rows.length === 0;
}

export async function hasRows(db: Db, table: 'tag' | 'mark'): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(db);
  return rows.length > 0;
}

export async function insertTags(trx: Db, tags: readonly FirstTag[]): Promise<void> {
  const rows = tags.map(({ code, name }, position) => ({ code, name: JSON.stringify(name), position }));
  await trx
    .insertInto('tag')
    .values(rows)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .execute();
}

export async function insertMarks(trx: Db, marks: readonly FirstMark[]): Promise<void> {
  const rows = marks.map((mark, position) => ({ ...mark, name: JSON.stringify(mark.name), position }));
  await trx
    .insertInto('mark')
    .values(rows)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .execute();
}

/** True for a help center without content that never had any: its sequences have not given an id. */
export async function isHelpUnused(db: Db): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select coalesce(
      pg_sequence_last_value(pg_get_serial_sequence('help_category', 'id')::regclass),
      pg_sequence_last_value(pg_get_serial_sequence('help_article', 'id')::regclass)
    ) is not null or exists (select from help_category) or exists (select from help_article) as used`.execute(
    db,
  );
  return rows[0]?.used === false;
}

/** Inserts published articles without an author. */
export async function insertHelp(trx: Db, { categories, articles }: FirstHelp): Promise<void> {
  const default_lang = 'en-US';
  const ids = new Map<string, number>();
  for (const { slug, name } of categories) {
    ids.set(slug, await insertCategory(trx, { name, default_lang }, null));
  }
  for (const { category, ...texts } of articles) {
    const category_id = ids.get(category) ?? null;
    await insertArticle(trx, { ...texts, category_id, default_lang, is_published: true }, null);
  }
}
