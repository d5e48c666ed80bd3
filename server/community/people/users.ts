import { sql } from 'kysely';
import type { PublicUser } from '../../../shared/entities/user.ts';
import type { Db } from '../schema.ts';
import type { Caller } from './auth/caller.ts';

/** Minimum time between two updates of `seen_at`. */
const SEEN_AGAIN_AFTER = '1 hour';

/**
 * Stores the name, picture and role from a user's access token, so that their actions can be shown with their name. If
 * identity has reported a later change, only the role is updated. Deleted accounts stay empty. A row that is up to date is
 * not locked, as transactions come here with a plugin locked, and submissions lock users before plugins.
 */
export async function upsertUser(db: Db, caller: Caller): Promise<void> {
  const { user_id, nick_name, avatar_url, role, issued_at = null } = caller;
  await sql`
    insert into person as p (user_id, nick_name, avatar_url, role)
      select ${user_id}::bigint, ${nick_name}::text, ${avatar_url}::text, ${role}::smallint
        where not exists (
          select from person k where k.user_id = ${user_id} and k.seen_at >= now() - ${SEEN_AGAIN_AFTER}::interval
            and k.nick_name = ${nick_name} and k.avatar_url = ${avatar_url} and k.role = ${role}
        )
      on conflict (user_id) do update
        set nick_name = case when p.told_at > ${issued_at} then p.nick_name else excluded.nick_name end,
          avatar_url = case when p.told_at > ${issued_at} then p.avatar_url else excluded.avatar_url end,
          role = excluded.role, seen_at = now()
        where p.deleted_at is null and (
          (p.nick_name, p.avatar_url, p.role) is distinct from
            (excluded.nick_name, excluded.avatar_url, excluded.role)
          or p.seen_at < now() - ${SEEN_AGAIN_AFTER}::interval
        )`.execute(db);
}

/** Updates the role of a known user if their token has another one. */
export async function updateRole(db: Db, { user_id, role }: Caller): Promise<void> {
  await db
    .updateTable('person')
    .set({ role })
    .where('user_id', '=', user_id)
    .where('role', '<>', role)
    .execute();
}

/** @returns an empty text for an unknown user */
export async function readNickName(db: Db, userId: number): Promise<string> {
  const found = await db
    .selectFrom('person')
    .select('nick_name')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found?.nick_name ?? '';
}

/** SQL for the public view of a `person` row, by its alias in the statement; deleted accounts have no name. */
export function publicUserFrom(table: string) {
  const { id, name, picture, gone, verified } = {
    id: sql.ref(`${table}.user_id`),
    name: sql.ref(`${table}.nick_name`),
    picture: sql.ref(`${table}.avatar_url`),
    gone: sql.ref(`${table}.deleted_at`),
    verified: sql.ref(`${table}.verified_as`),
  };
  return sql<PublicUser>`case when ${gone} is null
      then jsonb_build_object('user_id', ${id}, 'nick_name', ${name}, 'avatar_url', ${picture})
        || case when ${verified} is null then '{}' else jsonb_build_object('verified', ${verified}) end
      else jsonb_build_object('user_id', ${id}, 'nick_name', '', 'avatar_url', '', 'is_deleted', true) end`;
}

/** The same for a publisher, with the handle of their page. */
export function publisherFrom(table: string) {
  const handle = sql`jsonb_build_object('handle', ${sql.ref(`${table}.handle`)})`;
  return sql<PublicUser>`(
    ${publicUserFrom(table)} || case when ${sql.ref(`${table}.deleted_at`)} is null then ${handle} else '{}' end)`;
}

/** SQL for the public view of the user id in a column, or null; unknown users have no name. */
export function publicUserOf(column: string) {
  return sql<PublicUser | null>`(
    select case when person.user_id is null
        then jsonb_build_object('user_id', ids.id, 'nick_name', '', 'avatar_url', '') else ${publicUserFrom('person')} end
      from (select ${sql.ref(column)} as id) ids left join person on person.user_id = ids.id
      where ids.id is not null)`;
}
