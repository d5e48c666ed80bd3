import { sql } from 'kysely';
import type { ListPlace } from '../../pages.ts';
import type { Db } from '../../schema.ts';
import { type CollectionRow, columns } from './store.ts';

/** Of a plugin that many have collected, public collections are looked for among the latest. */
const LOOKED_AT = 200;

/** What everybody sees of users' collections, as the index `collection_public` says it. */
const IS_LISTED = sql`c.access = 'public' and not c.is_hidden and c.size > 0 and c.user_id is not null`;

export type Page = { after: ListPlace | undefined; limit: number };

/** Public collections of all users, or of one, last changed first. */
export async function readPublicRows(
  db: Db,
  { userId, after, limit }: Page & { userId: number | undefined },
): Promise<CollectionRow[]> {
  const { rows } = await sql<CollectionRow>`
    select ${columns(false)} from collection c
      where ${IS_LISTED} ${userId === undefined ? sql`` : sql`and c.user_id = ${userId}`}
        ${after ? sql`and (c.updated_at, c.id) < (${new Date(after[0])}, ${after[1]})` : sql``}
      order by c.updated_at desc, c.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Collections with a plugin that everybody may read: those of the editors first, then the latest ones. */
export async function readRowsWith(db: Db, pluginKey: string, limit: number): Promise<CollectionRow[]> {
  const { rows } = await sql<CollectionRow>`
    with wanted as (
      select id from plugin where plugin_key = ${pluginKey} and is_visible
    ), found as (
      (select e.id, e.position as place, true as is_editors
        from wanted join editors_collection e on exists (
          select from collection_plugin cp where cp.collection_id = e.id and cp.plugin_id = wanted.id)
        join collection c on c.id = e.id and c.access = 'public'
        order by e.position, e.id limit ${limit})
      union all
      (select latest.collection_id, 0, false
        from wanted cross join lateral (
          select cp.collection_id from collection_plugin cp where cp.plugin_id = wanted.id
            order by cp.collection_id desc limit ${LOOKED_AT}
        ) latest join collection c on c.id = latest.collection_id
        where ${IS_LISTED} order by latest.collection_id desc limit ${limit})
    )
    select ${columns(false)} from found join collection c on c.id = found.id
      order by found.is_editors desc, found.place, c.id desc limit ${limit}`.execute(db);
  return rows;
}

export type SitemapRow = { collection_key: string; slug: string | null; updated_at: Date };

/** Addresses of all collections that everybody may read: those of the editors, then users', last changed first. */
export async function readSitemapRows(db: Db, limit: number): Promise<SitemapRow[]> {
  const { rows } = await sql<SitemapRow>`
    (select c.collection_key, e.slug, c.updated_at from editors_collection e join collection c on c.id = e.id
      where c.access = 'public' and c.size > 0 order by e.position, e.id)
    union all
    (select c.collection_key, null, c.updated_at from collection c where ${IS_LISTED}
      order by c.updated_at desc, c.id desc limit ${limit})`.execute(db);
  return rows;
}
