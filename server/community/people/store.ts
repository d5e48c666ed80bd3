import { sql } from 'kysely';
import type { PublicUser } from '../../../shared/entities/user.ts';
import type { Caller } from '../auth/caller.ts';
import type { Db } from '../schema.ts';

/** How old the time may get at which somebody was last seen. */
const SEEN_AGAIN_AFTER = '1 hour';

/** Keeps what a person's token says of him, so that what he did can be shown with his name. */
export async function rememberPerson(db: Db, caller: Caller): Promise<void> {
  const { user_id, nick_name, avatar_url, role } = caller;
  await sql`
    insert into person as p (user_id, nick_name, avatar_url, role)
      values (${user_id}, ${nick_name}, ${avatar_url}, ${role})
      on conflict (user_id) do update
        set nick_name = excluded.nick_name, avatar_url = excluded.avatar_url, role = excluded.role, seen_at = now()
        where (p.nick_name, p.avatar_url, p.role) is distinct from
            (excluded.nick_name, excluded.avatar_url, excluded.role)
          or p.seen_at < now() - ${SEEN_AGAIN_AFTER}::interval`.execute(db);
}

/** Keeps the role of somebody who is known, when his token says another one. */
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

/** The person of a column as others see him, or null; someone who never called us himself has no name here. */
export function publicUserOf(column: string) {
  return sql<PublicUser | null>`(
    select jsonb_build_object('user_id', ids.id, 'nick_name', coalesce(person.nick_name, ''),
        'avatar_url', coalesce(person.avatar_url, ''))
      from (select ${sql.ref(column)} as id) ids left join person on person.user_id = ids.id
      where ids.id is not null)`;
}
