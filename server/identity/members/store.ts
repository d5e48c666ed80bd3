import { sql } from 'kysely';
import { TOTAL_EXACT_UP_TO } from '../../../shared/constants.ts';
import type { PublicUser, Role } from '../../../shared/entities/user.ts';
import type { Account, IdentityDb } from '../schema.ts';

export type MemberRow = Pick<
  Account,
  'user_id' | 'nick_name' | 'email' | 'role' | 'disabled_at' | 'created_at' | 'last_sign_in_at'
> & { session_count: number; has_second_factor: boolean };

/** `key`: part of a name or address in the form of accountKey; empty for all. */
type Filter = { key: string; role: Role | undefined };

/** Newest accounts first; `before` is the id of the previous page's last row. */
export async function readMemberRows(
  db: IdentityDb,
  { before, limit, at, ...filter }: Filter & { before: number | undefined; limit: number; at: Date },
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    ${membersAt(at)} where ${matches(filter)} ${before === undefined ? sql`` : sql`and a.user_id < ${before}`}
      order by a.user_id desc limit ${limit}`.execute(db);
  return rows;
}

/** Counts up to one more than the exact limit. */
export async function countMembers(db: IdentityDb, filter: Filter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from account a where ${matches(filter)} limit ${TOTAL_EXACT_UP_TO + 1}
    ) counted`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function readMemberRow(
  db: IdentityDb,
  userId: number,
  at: Date,
): Promise<MemberRow | undefined> {
  const { rows } =
    await sql<MemberRow>`${membersAt(at)} where a.user_id = ${userId} and ${notDeleted}`.execute(db);
  return rows[0];
}

function membersAt(at: Date) {
  return sql`
    select a.user_id, a.nick_name, a.email, a.role, a.disabled_at, a.created_at, a.last_sign_in_at,
        (select count(*) from session s
          where s.user_id = a.user_id and s.revoked_at is null and s.expires_at > ${at}) as session_count,
        exists (select from second_factor f where f.user_id = a.user_id) as has_second_factor
      from account a`;
}

const notDeleted = sql`a.deleted_at is null`;

function matches({ key, role }: Filter) {
  const named =
    key === ''
      ? sql`true`
      : sql`(strpos(a.nick_name_key, ${key}) > 0 or strpos(a.email_key, ${key}) > 0
          or strpos(a.user_name_key, ${key}) > 0)`;
  return sql`${notDeleted} and ${named} and ${role === undefined ? sql`true` : sql`a.role = ${role}`}`;
}

export type MemberChangeRow = {
  id: number;
  actor: PublicUser;
  action: string;
  target_id: number;
  target_name: string;
  detail: Record<string, string | number | boolean | null>;
  created_at: Date;
};

/** Newest first; `before` is the id of the previous page's last row. */
export async function readMemberChangeRows(
  db: IdentityDb,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<MemberChangeRow[]> {
  const { rows } = await sql<MemberChangeRow>`
    select c.id, c.action, c.detail, c.created_at, c.user_id as target_id, member.nick_name as target_name,
        jsonb_build_object('user_id', actor.user_id, 'nick_name', actor.nick_name,
          'avatar_url', actor.avatar_url) as actor
      from member_change c
      join account actor on actor.user_id = c.actor_id
      join account member on member.user_id = c.user_id
      ${before === undefined ? sql`` : sql`where c.id < ${before}`}
      order by c.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function countMemberChanges(db: IdentityDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from member_change limit ${TOTAL_EXACT_UP_TO + 1}
    ) counted`.execute(db);
  return rows[0]?.count ?? 0;
}
