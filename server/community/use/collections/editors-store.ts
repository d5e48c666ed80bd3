import { sql } from 'kysely';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';
import { pictureOf } from '../../catalogue/plugins/card-store.ts';
import type { Db } from '../../schema.ts';
import { type CollectionRow, columns } from './store.ts';

/** What a collection of the editors has in place of a title and a description in one language. */
export type EditorsTexts = {
  slug: string;
  title: Texts;
  description: Texts;
  default_lang: Language;
};

export type EditorsRow = EditorsTexts & { id: number; picture: Picture | null };

export async function findEditorsRow(db: Db, id: number): Promise<EditorsRow | undefined> {
  const { rows } = await sql<EditorsRow>`
    select id, slug, title, description, default_lang, ${pictureOf('e.picture_key')} as picture
      from editors_collection e where id = ${id}`.execute(db);
  return rows[0];
}

/** @returns the key of the collection with an address, published or not */
export async function findKeyBySlug(db: Db, slug: string): Promise<string | undefined> {
  const { rows } = await sql<{ collection_key: string }>`
    select c.collection_key from editors_collection e join collection c on c.id = e.id where e.slug = ${slug}`.execute(
    db,
  );
  return rows[0]?.collection_key;
}

/** Published collections of the editors in their order, without those that have nothing to show. */
export async function readShownEditors(db: Db, limit: number): Promise<CollectionRow[]> {
  const { rows } = await sql<CollectionRow>`
    select ${columns(false)} from editors_collection e join collection c on c.id = e.id
      where c.access = 'public' and exists (
        select from collection_plugin cp join plugin p on p.id = cp.plugin_id and p.is_visible where cp.collection_id = c.id)
      order by e.position, e.id limit ${limit}`.execute(db);
  return rows;
}

/** All collections of the editors in their order, and whether each has a plugin. */
export async function readManagedEditors(
  db: Db,
  pluginKey?: string,
): Promise<(CollectionRow & { has_plugin: boolean })[]> {
  const { rows } = await sql<CollectionRow & { has_plugin: boolean }>`
    select ${columns(true)}, exists (
        select from collection_plugin cp join plugin p on p.id = cp.plugin_id
          where cp.collection_id = c.id and p.plugin_key = ${pluginKey ?? null}) as has_plugin
      from editors_collection e join collection c on c.id = e.id order by e.position, e.id`.execute(db);
  return rows;
}

type Content = EditorsTexts & { picture_key: string | null; is_published: boolean };

/** Adds a collection after the others, up to a limit. @returns its id; undefined at the limit */
export async function insertEditors(
  trx: Db,
  { key, ...content }: Content & { key: string },
  { at, limit }: { at: Date; limit: number },
): Promise<number | undefined> {
  const { slug, title, description, default_lang, picture_key } = content;
  const { rows } = await sql<{ id: number }>`
    with added as (
      insert into collection (collection_key, title, access, created_at, updated_at)
        select ${key}, '', ${accessOf(content)}, ${at}, ${at}
          where (select count(*) from editors_collection) < ${limit}
        returning id
    )
    insert into editors_collection (id, slug, title, description, default_lang, picture_key, position)
      select id, ${slug}, ${JSON.stringify(title)}, ${JSON.stringify(description)}, ${default_lang}, ${picture_key},
          (select coalesce(max(position) + 1, 0) from editors_collection)
        from added
      returning id`.execute(trx);
  return rows[0]?.id;
}

/** Changes all but the address, which stays. */
export async function updateEditors(
  trx: Db,
  id: number,
  content: Omit<Content, 'slug'>,
  at: Date,
): Promise<void> {
  const { title, description, default_lang, picture_key } = content;
  await sql`update collection set access = ${accessOf(content)}, updated_at = ${at} where id = ${id}`.execute(
    trx,
  );
  await sql`
    update editors_collection set title = ${JSON.stringify(title)}, description = ${JSON.stringify(description)},
        default_lang = ${default_lang}, picture_key = ${picture_key}
      where id = ${id}`.execute(trx);
}

const accessOf = ({ is_published }: { is_published: boolean }) => (is_published ? 'public' : 'private');
