import { sql } from 'kysely';
import { FOLLOWS_MAX } from '../../../../shared/constants.ts';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { shownPicture } from '../../catalogue/plugins/card-store.ts';
import { type Names, namesOf } from '../../names.ts';
import { boundedCount } from '../../pages.ts';
import { publicUserFrom } from '../../people/users.ts';
import type { Db } from '../../schema.ts';

/** What can be followed, by its public key. */
export type FollowTarget =
  | { kind: 'plugin'; key: string }
  | { kind: 'tag'; key: number }
  | { kind: 'publisher'; key: number };

const COLUMNS = { plugin: sql`plugin_id`, tag: sql`tag_id`, publisher: sql`publisher_id` };

/** The id of what is published under a key; of a publisher, if they have published something. */
export async function findFollowable(db: Db, { kind, key }: FollowTarget): Promise<number | undefined> {
  const found = {
    plugin: sql`select id from plugin where plugin_key = ${key} and is_visible`,
    tag: sql`select id from tag where id = ${key} and not is_hidden`,
    publisher: sql`
      select user_id as id from person where user_id = ${key} and deleted_at is null
        and exists (select from plugin where publisher_id = ${key} and deleted_at is null and is_visible)`,
  };
  const { rows } = await sql<{ id: number }>`${found[kind]}`.execute(db);
  return rows[0]?.id;
}

type Follower = { userId: number; kind: FollowTarget['kind']; id: number; at: Date };

/** Follows something; a repeated call changes nothing. @returns false for a user who follows as much as they may */
export async function insertFollow(db: Db, { userId, kind, id, at }: Follower): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    with room as materialized (
      select count(*) < ${FOLLOWS_MAX} as may from follow where user_id = ${userId}
    ), added as (
      insert into follow (user_id, ${COLUMNS[kind]}, created_at)
        select ${userId}, ${id}, ${at} from room where may
        on conflict do nothing
    )
    select may or exists (select from follow where user_id = ${userId} and ${COLUMNS[kind]} = ${id}) as may
      from room`.execute(db);
  return rows[0]?.may ?? false;
}

/** Stops following, also what is not published any more. */
export async function deleteFollow(
  db: Db,
  { userId, target: { kind, key } }: { userId: number; target: FollowTarget },
): Promise<void> {
  const id = kind === 'plugin' ? sql`(select id from plugin where plugin_key = ${key})` : sql`${key}`;
  await sql`delete from follow where user_id = ${userId} and ${COLUMNS[kind]} = ${id}`.execute(db);
}

export type FollowedKeys = { plugin_keys: string[]; tag_ids: number[]; publisher_ids: number[] };

export async function readFollowedKeys(db: Db, userId: number): Promise<FollowedKeys> {
  const { rows } = await sql<FollowedKeys>`
    select coalesce(array_agg(p.plugin_key) filter (where p.id is not null), '{}') as plugin_keys,
        coalesce(array_agg(f.tag_id) filter (where f.tag_id is not null), '{}') as tag_ids,
        coalesce(array_agg(f.publisher_id) filter (where f.publisher_id is not null), '{}') as publisher_ids
      from follow f left join plugin p on p.id = f.plugin_id where f.user_id = ${userId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('query returned no row');
  return row;
}

export type FollowRow = {
  id: number;
  created_at: Date;
  plugin: (Names & { plugin_key: string; is_visible: boolean; icon: Picture | null }) | null;
  tag: { id: number; code: string; name: Texts; is_hidden: boolean } | null;
  publisher: PublicUser | null;
};

/** What a user follows, latest first; `before` is the id of the last row of the page before. */
export async function readFollowRows(
  db: Db,
  { userId, before, limit }: { userId: number; before: number | undefined; limit: number },
): Promise<FollowRow[]> {
  const { rows } = await sql<FollowRow>`
    select f.id, f.created_at,
        (select jsonb_build_object('plugin_key', p.plugin_key, 'default_lang', p.default_lang,
            'names', ${namesOf('p.id')}, 'is_visible', p.is_visible, 'icon', ${shownPicture(sql`p.icon_key`)})
          from plugin p where p.id = f.plugin_id) as plugin,
        (select jsonb_build_object('id', t.id, 'code', t.code, 'name', t.name, 'is_hidden', t.is_hidden)
          from tag t where t.id = f.tag_id) as tag,
        (select ${publicUserFrom('publisher')} from person publisher where publisher.user_id = f.publisher_id)
          as publisher
      from follow f where f.user_id = ${userId} ${before === undefined ? sql`` : sql`and f.id < ${before}`}
      order by f.id desc limit ${limit}`.execute(db);
  return rows;
}

export function countFollows(db: Db, userId: number): Promise<number> {
  return boundedCount(db, sql`from follow where user_id = ${userId}`);
}
