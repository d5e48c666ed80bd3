import { type Insertable, sql } from 'kysely';
import { ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import type { OwnEnterprise } from '../../../shared/routes/account.ts';
import type { Account, IdentityDb, IdentityTables } from '../schema.ts';
import type { User } from './account-fields.ts';

/**
 * The account that an e-mail address or a user name means to sign in with: of several with one address the one that has
 * proved to own it, or else the one that has a password.
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

/** The account whose user has proved to own an address. */
export function findOwnerOf(db: IdentityDb, emailKey: string): Promise<Account | undefined> {
  return db
    .selectFrom('account')
    .selectAll()
    .where('email_key', '=', emailKey)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst();
}

/** Whether an account may act, what it may, and when it was last signed out everywhere. */
export type AccountState = Pick<Account, 'user_id' | 'role' | 'disabled_at' | 'signed_out_at'>;

export async function readAccountStates(db: IdentityDb, userIds: readonly number[]): Promise<AccountState[]> {
  if (userIds.length === 0) return [];
  return db
    .selectFrom('account')
    .select(['user_id', 'role', 'disabled_at', 'signed_out_at'])
    .where('user_id', 'in', userIds)
    .execute();
}

/** An account with its place in the enterprise it works in now. */
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

/** Gives an account a new password; devices that signed in by the old one are strangers again. */
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

/** Stores a new account. Answers undefined when its e-mail address or user name is taken. */
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

/** Whether an address is somebody's own, or signs somebody in already. */
export async function emailIsTaken(db: IdentityDb, emailKey: string): Promise<boolean> {
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

/** Makes an enterprise the one the user works in. Answers false when the user is no member of it. */
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
 * Notes that a user signs in by a code issued at `by`. Answers false when the account is disabled or was signed out
 * since. The row stays locked until the transaction ends: disabling waits, and then ends the session that begins here.
 */
export async function noteSignIn(
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

/** Makes the user a member of the enterprise, in the department that the directory says now. */
export async function enrol(
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

/** Calls an enterprise what the deployment calls it now. */
export async function nameEnterprise(db: IdentityDb, eId: number, name: string): Promise<void> {
  await db
    .insertInto('enterprise')
    .values({ e_id: eId, name })
    .onConflict((conflict) =>
      conflict.column('e_id').doUpdateSet({ name }).where('enterprise.name', '<>', name),
    )
    .execute();
}

/** The enterprises of a user, by number. */
export function enterprisesOf(db: IdentityDb, userId: number): Promise<OwnEnterprise[]> {
  return db
    .selectFrom('enterprise_member as member')
    .leftJoin('enterprise', 'enterprise.e_id', 'member.e_id')
    .select(['member.e_id', 'member.department', 'member.is_owner', 'member.is_administrator'])
    .select((row) => row.fn.coalesce('enterprise.name', sql.lit('')).as('name'))
    .where('member.user_id', '=', userId)
    .orderBy('member.e_id')
    .execute();
}
