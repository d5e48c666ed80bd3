import { sql } from 'kysely';
import type { CollectionAccess } from '../../../../shared/constants.ts';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import type { ReportReason } from '../../../../shared/entities/site.ts';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';
import { pictureOf, shownPicture } from '../../catalogue/plugins/card-store.ts';
import { type Names, namesOf } from '../../names.ts';
import { publicUserOf } from '../../people/users.ts';
import type { Db } from '../../schema.ts';

/** Plugins whose icons are on a cover. */
const COVER_ICONS = 4;

export type CollectionRow = {
  id: number;
  collection_key: string;
  /** Null for one of the editors, which has no owner. */
  user_id: number | null;
  title: string;
  description: string;
  access: CollectionAccess;
  is_hidden: boolean;
  updated_at: Date;
  owner: PublicUser | null;
  /** What one of the editors has in place of title and description. */
  editors: {
    slug: string;
    title: Texts;
    description: Texts;
    default_lang: Language;
    picture: Picture | null;
  } | null;
  plugin_count: number;
  icons: (Names & { icon: Picture | null })[];
};

/** SQL columns of a collection `c` for a reader who sees what is published, or everything of their own. */
export const columns = (seesAll: boolean) => sql`
  c.id, c.collection_key, c.user_id, c.title, c.description, c.access, c.is_hidden, c.updated_at,
  ${publicUserOf('c.user_id')} as owner,
  (select jsonb_build_object('slug', e.slug, 'title', e.title, 'description', e.description,
      'default_lang', e.default_lang, 'picture', ${pictureOf('e.picture_key')})
    from editors_collection e where e.id = c.id) as editors,
  (select count(*)::int from collection_plugin cp join plugin p on p.id = cp.plugin_id
    where cp.collection_id = c.id and (${seesAll} or p.is_visible)) as plugin_count,
  (select coalesce(jsonb_agg(jsonb_build_object('names', ${namesOf('p.id')}, 'default_lang', p.default_lang,
      'icon', ${shownPicture(sql`p.icon_key`)}) order by first.position, p.id), '[]')
    from (
      select cp.plugin_id, cp.position from collection_plugin cp join plugin v on v.id = cp.plugin_id and v.is_visible
        where cp.collection_id = c.id order by cp.position, cp.plugin_id limit ${COVER_ICONS}
    ) first join plugin p on p.id = first.plugin_id) as icons`;

/** A user's own collections, last changed first, and whether each has a plugin. */
export async function readOwnRows(
  db: Db,
  { userId, pluginKey, limit }: { userId: number; pluginKey: string | undefined; limit: number },
): Promise<(CollectionRow & { has_plugin: boolean })[]> {
  const { rows } = await sql<CollectionRow & { has_plugin: boolean }>`
    select ${columns(true)}, exists (
        select from collection_plugin cp join plugin p on p.id = cp.plugin_id
          where cp.collection_id = c.id and p.plugin_key = ${pluginKey ?? null}) as has_plugin
      from collection c where c.user_id = ${userId} order by c.updated_at desc, c.id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

export async function findCollection(
  db: Db,
  key: string,
  { seesAll }: { seesAll: (row: { user_id: number | null }) => boolean },
): Promise<CollectionRow | undefined> {
  const owner = await sql<{ user_id: number | null }>`
    select user_id from collection where collection_key = ${key}`.execute(db);
  const [found] = owner.rows;
  if (!found) return undefined;
  const { rows } = await sql<CollectionRow>`
    select ${columns(seesAll(found))} from collection c where c.collection_key = ${key}`.execute(db);
  return rows[0];
}

export type CollectedRow = {
  id: number;
  plugin_key: string;
  is_visible: boolean;
  domains: string[];
  permissions: unknown;
};

/** The plugins of a collection in their order, with what their published versions ask for. */
export async function readCollected(db: Db, collectionId: number): Promise<CollectedRow[]> {
  const { rows } = await sql<CollectedRow>`
    select p.id, p.plugin_key, p.is_visible, coalesce(v.allowed_domains, '{}') as domains,
        v.package_manifest -> 'permissions' as permissions
      from collection_plugin cp join plugin p on p.id = cp.plugin_id
      left join plugin_version v on v.id = p.current_version_id
      where cp.collection_id = ${collectionId} order by cp.position, cp.plugin_id`.execute(db);
  return rows;
}

export type CollectionTexts = { title: string; description: string; access: CollectionAccess };

/** Adds a collection of a user who has fewer than the limit. @returns false at the limit */
export async function insertCollection(
  trx: Db,
  { key, userId, title, description, access }: CollectionTexts & { key: string; userId: number },
  { at, limit }: { at: Date; limit: number },
): Promise<boolean> {
  await sql`select from person where user_id = ${userId} for no key update`.execute(trx);
  const { rows } = await sql`
    insert into collection (collection_key, user_id, title, description, access, created_at, updated_at)
      select ${key}, ${userId}, ${title}, ${description}, ${access}, ${at}, ${at}
        where (select count(*) from collection where user_id = ${userId}) < ${limit}
      returning id`.execute(trx);
  return rows.length > 0;
}

type LockedRow = { id: number; user_id: number | null; is_hidden: boolean } & CollectionTexts;

/** A collection for a change; others wait. */
export async function lockCollection(trx: Db, key: string): Promise<LockedRow | undefined> {
  const { rows } = await sql<LockedRow>`
    select id, user_id, is_hidden, title, description, access from collection
      where collection_key = ${key} for no key update`.execute(trx);
  return rows[0];
}

export async function updateCollection(
  trx: Db,
  id: number,
  { title, description, access }: CollectionTexts,
  at: Date,
): Promise<void> {
  await sql`
    update collection set title = ${title}, description = ${description}, access = ${access}, updated_at = ${at}
      where id = ${id}`.execute(trx);
}

export async function deleteCollectionRow(trx: Db, id: number): Promise<void> {
  await sql`delete from collection where id = ${id}`.execute(trx);
}

/** Notes that the plugins of a locked collection, or their order, have changed. */
export async function touchCollection(trx: Db, id: number, at: Date): Promise<void> {
  await sql`
    update collection set updated_at = ${at},
        size = (select count(*) from collection_plugin where collection_id = ${id})
      where id = ${id}`.execute(trx);
}

/** Adds a plugin at the end of a locked collection; one that is there stays where it is. @returns false for a full one */
export async function insertCollected(
  trx: Db,
  { id, pluginId }: { id: number; pluginId: number },
  { at, limit }: { at: Date; limit: number },
): Promise<boolean> {
  const { rows } = await sql<{ fits: boolean }>`
    with found as materialized (
      select count(*) < ${limit} or bool_or(plugin_id = ${pluginId}) as fits, coalesce(max(position), 0) + 1 as position
        from collection_plugin where collection_id = ${id}
    ), added as (
      insert into collection_plugin (collection_id, plugin_id, position, added_at)
        select ${id}, ${pluginId}, position, ${at} from found where fits
        on conflict do nothing
    )
    select fits from found`.execute(trx);
  return rows[0]?.fits ?? false;
}

/** Removes a plugin, also one that is not published any more. */
export async function deleteCollected(trx: Db, id: number, pluginKey: string): Promise<void> {
  await sql`
    delete from collection_plugin cp using plugin p
      where cp.collection_id = ${id} and p.id = cp.plugin_id and p.plugin_key = ${pluginKey}`.execute(trx);
}

/** Puts the plugins of a locked collection in an order. @returns false if it has others */
export async function orderCollected(trx: Db, id: number, keys: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ key: string }>`
    select p.plugin_key as key from collection_plugin cp join plugin p on p.id = cp.plugin_id
      where cp.collection_id = ${id}`.execute(trx);
  const has = new Set(rows.map(({ key }) => key));
  if (has.size !== keys.length || new Set(keys).size !== keys.length || !keys.every((key) => has.has(key)))
    return false;
  await sql`
    update collection_plugin cp set position = wanted.place
      from unnest(${[...keys]}::text[]) with ordinality as wanted (key, place) join plugin p on p.plugin_key = wanted.key
      where cp.collection_id = ${id} and cp.plugin_id = p.id`.execute(trx);
  return true;
}

type NewReport = { collectionId: number; userId: number; kind: string; reason: string; at: Date };

/** Reports a collection; an open report of the same user stays as it is. */
export async function insertCollectionReport(
  trx: Db,
  { collectionId, userId, kind, reason, at }: NewReport,
): Promise<void> {
  await sql`
    insert into collection_report (collection_id, user_id, kind, reason, created_at)
      values (${collectionId}, ${userId}, ${kind}, ${reason}, ${at}) on conflict do nothing`.execute(trx);
}

/** Hides or shows a locked collection, and decides its open reports. @returns who reported it */
export async function setCollectionHidden(
  trx: Db,
  { id, isHidden, adminId, at }: { id: number; isHidden: boolean; adminId: number; at: Date },
): Promise<number[]> {
  await sql`update collection set is_hidden = ${isHidden} where id = ${id}`.execute(trx);
  const { rows } = await sql<{ user_id: number }>`
    update collection_report set decided_at = ${at}, decided_by = ${adminId}, is_upheld = ${isHidden}
      where collection_id = ${id} and decided_at is null returning user_id`.execute(trx);
  return rows.map((row) => row.user_id);
}

export type ReportedRow = CollectionRow & {
  report_list: { id: number; kind: ReportReason; reason: string; created_at: string }[];
};

const REPORTS = sql`
  (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'kind', r.kind, 'reason', r.reason, 'created_at', r.created_at)
      order by r.id), '[]')
    from collection_report r where r.collection_id = c.id and r.decided_at is null) as report_list`;

/** Collections with open reports, the oldest report first, or those that are hidden. */
export async function readReportedRows(
  db: Db,
  state: 'reported' | 'hidden',
  limit: number,
): Promise<ReportedRow[]> {
  const { rows } = await (state === 'hidden'
    ? sql<ReportedRow>`
        select ${columns(true)}, ${REPORTS} from collection c
          where c.is_hidden order by c.updated_at desc, c.id desc limit ${limit}`
    : sql<ReportedRow>`
        select ${columns(true)}, ${REPORTS} from (
            select collection_id, min(id) as first from (
              select collection_id, id from collection_report where decided_at is null order by created_at, id limit ${10 * limit}
            ) open group by collection_id order by first limit ${limit}
          ) reported join collection c on c.id = reported.collection_id
          order by reported.first`
  ).execute(db);
  return rows;
}
