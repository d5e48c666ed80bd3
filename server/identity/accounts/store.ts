import { type Insertable, sql } from 'kysely';
import { ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import type { OwnEnterprise } from '../../../shared/routes/account.ts';
import type { Account, IdentityDb, IdentityTables } from '../schema.ts';

/** An account with its membership in the current enterprise; those fields are null without one. */
export type User = Account & {
  member_e_id: number | null;
  department: string | null;
  is_owner: boolean | null;
  is_administrator: boolean | null;
  staff_status: number | null;
};

/**
 * The account to sign in to with an e-mail address or a user name. Of several accounts with one address: the one that has
 * verified it, else the one with a password.
 */
export function findAccountByKey(db: IdentityDb, key: string): Promise<Account | undefined> {
  return db
    .selectFrom('account')
    .selectAll()
    .where((row) => row.or([row('email_key', '=', key), row('user_name_key', '=', key)]))
    .orderBy((row) => row('email_verified_at', 'is', null))
    .orderBy((row) => row('password_hash', 'is', null))
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirst();
}

/** The account that has verified an address. */
export function findOwnerOf(db: IdentityDb, emailKey: string): Promise<Account | undefined> {
  return db
    .selectFrom('account')
    .selectAll()
    .where('email_key', '=', emailKey)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst();
}

export type AccountState = Pick<Account, 'user_id' | 'role' | 'disabled_at' | 'signed_out_at'>;

export async function readAccountStates(db: IdentityDb, userIds: readonly number[]): Promise<AccountState[]> {
  if (userIds.length === 0) return [];
  return db
    .selectFrom('account')
    .select(['user_id', 'role', 'disabled_at', 'signed_out_at'])
    .where('user_id', 'in', userIds)
    .execute();
}

export function findUser(db: IdentityDb, userId: number): Promise<User | undefined> {
  return db
    .selectFrom('account')
    .leftJoin('enterprise_member as member', (join) =>
      join.onRef('member.user_id', '=', 'account.user_id').onRef('member.e_id', '=', 'account.e_id'),
    )
    .selectAll('account')
    .select([
      'member.e_id as member_e_id',
      'member.department',
      'member.is_owner',
      'member.is_administrator',
      'member.staff_status',
    ])
    .where('account.user_id', '=', userId)
    .executeTakeFirst();
}

/** Sets a new password; also invalidates codes and known devices. */
export async function setPasswordHash(
  db: IdentityDb,
  userId: number,
  { passwordHash, at }: { passwordHash: string; at: Date },
): Promise<void> {
  await db
    .updateTable('account')
    .set({ password_hash: passwordHash, devices_since: at, signed_out_at: at })
    .where('user_id', '=', userId)
    .execute();
}

/** @returns undefined when e-mail address or user name is taken */
export function insertAccount(
  db: IdentityDb,
  account: Insertable<IdentityTables['account']>,
): Promise<Account | undefined> {
  return db
    .insertInto('account')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Whether an account has verified an address, or signs in with it and a password. */
export async function isEmailTaken(db: IdentityDb, emailKey: string): Promise<boolean> {
  const found = await db
    .selectFrom('account')
    .select('user_id')
    .where('email_key', '=', emailKey)
    .where((row) => row.or([row('email_verified_at', 'is not', null), row('password_hash', 'is not', null)]))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export async function hasSuperAdmin(db: IdentityDb): Promise<boolean> {
  const found = await db
    .selectFrom('account')
    .select('user_id')
    .where('role', '=', ROLE_SUPER_ADMIN)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Makes an enterprise the user's current one. @returns false when the user is not a member of it */
export async function enterEnterprise(db: IdentityDb, userId: number, eId: number): Promise<boolean> {
  const result = await db
    .updateTable('account')
    .set({ e_id: eId })
    .where('user_id', '=', userId)
    .where((row) =>
      row.exists(
        row
          .selectFrom('enterprise_member')
          .select('e_id')
          .where('enterprise_member.user_id', '=', userId)
          .where('enterprise_member.e_id', '=', eId),
      ),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Records a sign-in with a code issued at `by`. Returns false when the account is disabled or was signed out since. The row
 * stays locked until the transaction ends: disabling the account waits, and then ends the session that starts here.
 */
export async function recordSignIn(
  db: IdentityDb,
  userId: number,
  { at, by }: { at: Date; by: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('account')
    .set({ last_sign_in_at: at })
    .where('user_id', '=', userId)
    .where('disabled_at', 'is', null)
    .where((row) => row.or([row('signed_out_at', 'is', null), row('signed_out_at', '<', by)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Makes the user a member of the enterprise and updates the department. */
export async function joinEnterprise(
  db: IdentityDb,
  { userId, eId, department }: { userId: number; eId: number; department: string },
): Promise<void> {
  await db
    .insertInto('enterprise_member')
    .values({ user_id: userId, e_id: eId, department })
    .onConflict((conflict) => conflict.columns(['user_id', 'e_id']).doUpdateSet({ department }))
    .execute();
  await db
    .updateTable('account')
    .set({ e_id: sql`coalesce(e_id, ${eId})` })
    .where('user_id', '=', userId)
    .execute();
}

/** Stores the name of an enterprise, or renames it. */
export async function upsertEnterprise(db: IdentityDb, eId: number, name: string): Promise<void> {
  await db
    .insertInto('enterprise')
    .values({ e_id: eId, name })
    .onConflict((conflict) =>
      conflict.column('e_id').doUpdateSet({ name }).where('enterprise.name', '<>', name),
    )
    .execute();
}

/** The enterprises of a user, by id. */
export function listEnterprises(db: IdentityDb, userId: number): Promise<OwnEnterprise[]> {
  return db
    .selectFrom('enterprise_member as member')
    .leftJoin('enterprise', 'enterprise.e_id', 'member.e_id')
    .select(['member.e_id', 'member.department', 'member.is_owner', 'member.is_administrator'])
    .select((row) => row.fn.coalesce('enterprise.name', sql.lit('')).as('name'))
    .where('member.user_id', '=', userId)
    .orderBy('member.e_id')
    .execute();
}
