import type { Transaction } from 'kysely';
import { ROLE_ADMIN, ROLE_SUPER_ADMIN, ROLE_USER } from '../../../shared/constants.ts';
import type { Role } from '../../../shared/entities/user.ts';
import type { AccountChange as PublishedChange } from '../../../shared/identity-calls.ts';
import type { Account, IdentityDb, IdentityTables } from '../schema.ts';
import { acquireAdvisoryLock } from '../store.ts';

/** Locks an account for changes until the transaction ends. */
export function lockAccount(db: IdentityDb, userId: number): Promise<Account | undefined> {
  return db
    .selectFrom('account')
    .selectAll()
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Whether another super administrator exists who is not disabled or about to be deleted. */
export async function hasOtherSuperAdmin(db: IdentityDb, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('account')
    .select('user_id')
    .where('role', '=', ROLE_SUPER_ADMIN)
    .where('disabled_at', 'is', null)
    .where('delete_at', 'is', null)
    .where('user_id', '<>', userId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Roles from the highest rank down: their numbers are not in order (R 1.2). */
const BY_RANK: readonly Role[] = [ROLE_SUPER_ADMIN, ROLE_ADMIN, ROLE_USER];

/** Whether the new role has less rights. */
export function isDemotion(from: Role, to: Role): boolean {
  return BY_RANK.indexOf(to) > BY_RANK.indexOf(from);
}

export type AccountChange = {
  role?: Role;
  disabled_at?: Date | null;
  signed_out_at?: Date;
  devices_since?: Date;
};

export async function updateAccount(db: IdentityDb, userId: number, change: AccountChange): Promise<void> {
  await db.updateTable('account').set(change).where('user_id', '=', userId).execute();
}

type Detail = Readonly<Record<string, string | number | boolean | null>>;

export async function insertMemberChange(
  db: IdentityDb,
  change: { actor_id: number; user_id: number; action: string; detail: Detail; created_at: Date },
): Promise<void> {
  const detail = JSON.stringify(change.detail);
  await db
    .insertInto('member_change')
    .values({ ...change, detail })
    .execute();
}

/** Records that other services must read an account again. The lock makes ids follow the order of commits. */
export async function recordAccountChange(
  db: Transaction<IdentityTables>,
  userId: number,
  at: Date,
): Promise<void> {
  await acquireAdvisoryLock(db, 'account changes');
  await db.deleteFrom('account_change').where('user_id', '=', userId).execute();
  await db.insertInto('account_change').values({ user_id: userId, changed_at: at }).execute();
}

export type AccountChangeRow = Pick<
  Account,
  'user_id' | 'nick_name' | 'avatar_url' | 'delete_plugins' | 'deleted_at'
> & { id: number; changed_at: Date };

/** The latest change of each account with an id greater than `after`, by id. */
export function readAccountChanges(
  db: IdentityDb,
  { after, limit }: { after: PublishedChange['id']; limit: number },
): Promise<AccountChangeRow[]> {
  return db
    .selectFrom('account_change as change')
    .innerJoin('account', 'account.user_id', 'change.user_id')
    .select(['change.id', 'change.user_id', 'change.changed_at'])
    .select(['account.nick_name', 'account.avatar_url', 'account.delete_plugins', 'account.deleted_at'])
    .where('change.id', '>', after)
    .orderBy('change.id')
    .limit(limit)
    .execute();
}

/** The highest id of a table of changes; 0 when it is empty. */
export async function lastChangeId(db: IdentityDb, table: 'account_change' | 'role_change'): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((select) => select.fn.max('id').as('last'))
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** Role changes with an id greater than `after`, by id. */
export function readRoleChanges(db: IdentityDb, { after, limit }: { after: number; limit: number }) {
  return db
    .selectFrom('role_change')
    .select(['id', 'user_id', 'role', 'changed_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Cancels a scheduled deletion and records it. @returns the account as it was before; undefined when none was scheduled */
export async function cancelDeletion(db: IdentityDb, userId: number, at: Date): Promise<Account | undefined> {
  const found = await db
    .selectFrom('account')
    .selectAll()
    .where('user_id', '=', userId)
    .where('delete_at', 'is not', null)
    .executeTakeFirst();
  if (!found) return undefined;
  const off = { delete_at: null, delete_plugins: null, delete_language: null };
  await db.updateTable('account').set(off).where('user_id', '=', userId).execute();
  const action = 'account.delete_called_off';
  await insertMemberChange(db, { actor_id: userId, user_id: userId, action, detail: {}, created_at: at });
  return found;
}
