import { sql } from 'kysely';
import type { PublicUser } from '../../shared/entities/user.ts';
import type { Caller } from './auth/caller.ts';
import type { Db } from './schema.ts';

/** How old the time may get at which somebody was last seen. */
const SEEN_AGAIN_AFTER = '1 hour';

/**
 * Keeps what a person's token says of them, so that what they did can be shown with their name. A token that is older than
 * what identity has told since is right about the role alone; of somebody who is gone nothing is kept.
 */
export async function rememberPerson(db: Db, caller: Caller): Promise<void> {
  const { user_id, nick_name, avatar_url, role, issued_at = null } = caller;
  await sql`
    insert into person as p (user_id, nick_name, avatar_url, role)
      values (${user_id}, ${nick_name}, ${avatar_url}, ${role})
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

/** Keeps the role of somebody who is known, when their token says another one. */
export async function noteRole(db: Db, { user_id, role }: Caller): Promise<void> {
  await db
    .updateTable('person')
    .set({ role })
    .where('user_id', '=', user_id)
    .where('role', '<>', role)
    .execute();
}

/** What somebody calls themselves; empty when they never called us. */
export async function readNickName(db: Db, userId: number): Promise<string> {
  const found = await db
    .selectFrom('person')
    .select('nick_name')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found?.nick_name ?? '';
}

/** A row of `person`, by the name it has in the statement, as others see them; one who is gone is called nothing. */
export function shownPerson(table: string) {
  const { id, name, picture, gone } = {
    id: sql.ref(`${table}.user_id`),
    name: sql.ref(`${table}.nick_name`),
    picture: sql.ref(`${table}.avatar_url`),
    gone: sql.ref(`${table}.deleted_at`),
  };
  return sql<PublicUser>`case when ${gone} is null
      then jsonb_build_object('user_id', ${id}, 'nick_name', ${name}, 'avatar_url', ${picture})
      else jsonb_build_object('user_id', ${id}, 'nick_name', '', 'avatar_url', '', 'is_deleted', true) end`;
}

/** The person of a column as others see them, or null; someone who never called us themselves has no name here. */
export function publicUserOf(column: string) {
  return sql<PublicUser | null>`(
    select case when person.user_id is null
        then jsonb_build_object('user_id', ids.id, 'nick_name', '', 'avatar_url', '') else ${shownPerson('person')} end
      from (select ${sql.ref(column)} as id) ids left join person on person.user_id = ids.id
      where ids.id is not null)`;
}
