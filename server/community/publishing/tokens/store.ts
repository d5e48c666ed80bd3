import { sql } from 'kysely';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import { type Names, namesOf } from '../../names.ts';
import { publicUserOf } from '../../people/users.ts';
import type { Db } from '../../schema.ts';

export type TokenRow = {
  id: number;
  name: string;
  hint: string;
  plugin_key: string | null;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
  owner_grant: string | null;
};

/** Tokens in a list, newest first. */
const LIST_MAX = 100;

export async function readTokenRows(db: Db, userId: number): Promise<TokenRow[]> {
  const { rows } = await sql<TokenRow>`
    select t.id, t.name, t.hint, p.plugin_key, t.created_at, t.expires_at, t.last_used_at, t.revoked_at,
        t.owner_grant
      from publish_token t left join plugin p on p.id = t.plugin_id
      where t.user_id = ${userId} order by t.created_at desc, t.id desc limit ${LIST_MAX}`.execute(db);
  return rows;
}

/** Counts the valid tokens of a user, who is locked so that no token is added until the transaction ends. */
export async function countLiveTokens(trx: Db, userId: number, at: Date): Promise<number> {
  await sql`select from person where user_id = ${userId} for no key update`.execute(trx);
  const { rows } = await sql<{ count: number }>`
    select count(*) from publish_token
      where user_id = ${userId} and revoked_at is null and expires_at > ${at}`.execute(trx);
  return rows[0]?.count ?? 0;
}

type NewToken = {
  user_id: number;
  name: string;
  secret_hash: Buffer;
  hint: string;
  plugin_id: number | null;
  created_at: Date;
  expires_at: Date;
  owner_grant: string | null;
};

export async function insertToken(trx: Db, token: NewToken): Promise<number> {
  const { id } = await trx
    .insertInto('publish_token')
    .values(token)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Revokes a token of a user; an ended token stays as it is. @returns false if the user has no such token */
export async function revokeToken(db: Db, userId: number, id: number, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update publish_token set revoked_at = coalesce(revoked_at, ${at})
      where id = ${id} and user_id = ${userId} returning id`.execute(db);
  return rows.length > 0;
}

/** Adds a grant to the older tokens of a user; those from before the last sign-out from all devices end instead. */
export async function grantOlderTokens(
  db: Db,
  userId: number,
  { grant, signedOutAt, at }: { grant: string; signedOutAt: Date | null; at: Date },
): Promise<void> {
  await sql`
    update publish_token set
        owner_grant = case when ${signedOutAt}::timestamptz is null or created_at > ${signedOutAt} then ${grant}::text end,
        revoked_at = case when created_at <= ${signedOutAt} then ${at}::timestamptz end
      where user_id = ${userId} and owner_grant is null and revoked_at is null`.execute(db);
}

type ManagedTokenRow = TokenRow & Names & { owner: PublicUser };

/** Reads valid tokens of one user or of all, newest first; `before` is the last id of the previous page. */
export async function readManagedTokens(
  db: Db,
  { userId, before, limit, at }: { userId?: number; before: number | undefined; limit: number; at: Date },
): Promise<ManagedTokenRow[]> {
  const { rows } = await sql<ManagedTokenRow>`
    select t.id, t.name, t.hint, p.plugin_key, p.default_lang, ${namesOf('p.id')} as names, t.created_at, t.expires_at, t.last_used_at,
        t.revoked_at, t.owner_grant, ${publicUserOf('t.user_id')} as owner
      from publish_token t
      left join plugin p on p.id = t.plugin_id
      where ${isLive(at)}
        and ${userId === undefined ? sql`true` : sql`t.user_id = ${userId}`}
        and ${before === undefined ? sql`true` : sql`t.id < ${before}`}
      order by t.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Reads the valid tokens of some users. */
export async function readLiveTokens(
  db: Db,
  userIds: readonly number[],
  at: Date,
): Promise<{ id: number; user_id: number; owner_grant: string | null }[]> {
  const { rows } = await sql<{ id: number; user_id: number; owner_grant: string | null }>`
    select t.id, t.user_id, t.owner_grant
      from publish_token t left join plugin p on p.id = t.plugin_id
      where t.user_id = any(${userIds}) and ${isLive(at)}`.execute(db);
  return rows;
}

function isLive(at: Date) {
  return sql<boolean>`t.revoked_at is null and t.expires_at > ${at} and p.deleted_at is null`;
}

/** Revokes a token, or all of a user. @returns those that were valid */
export async function revokeTokens(
  trx: Db,
  which: { id: number } | { user_id: number },
  at: Date,
): Promise<{ id: number; user_id: number; name: string }[]> {
  const [column, value] = 'id' in which ? (['id', which.id] as const) : (['user_id', which.user_id] as const);
  return trx
    .updateTable('publish_token')
    .set({ revoked_at: at })
    .where(column, '=', value)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .returning(['id', 'user_id', 'name'])
    .execute();
}

export async function hasToken(db: Db, id: number): Promise<boolean> {
  const found = await db.selectFrom('publish_token').select('id').where('id', '=', id).executeTakeFirst();
  return found !== undefined;
}
