import { sql } from 'kysely';
import type { Account, IdentityDb } from '../schema.ts';

type ProfileChange = { nick_name?: string; nick_name_key?: string; avatar_url?: string };

export async function updateProfile(db: IdentityDb, userId: number, change: ProfileChange): Promise<void> {
  await db.updateTable('account').set(change).where('user_id', '=', userId).execute();
}

/** Schedules the deletion of an account and invalidates its codes and known devices. */
export async function scheduleDeletion(
  db: IdentityDb,
  userId: number,
  deletion: Pick<Account, 'delete_at' | 'delete_plugins' | 'delete_language'> & { at: Date },
): Promise<void> {
  const { at, ...columns } = deletion;
  await db
    .updateTable('account')
    .set({ ...columns, signed_out_at: at, devices_since: at })
    .where('user_id', '=', userId)
    .execute();
}

/** The next account to delete, locked; accounts that another transaction has locked are skipped. */
export function lockDueAccount(
  db: IdentityDb,
  { at, except }: { at: Date; except: readonly number[] },
): Promise<Account | undefined> {
  return db
    .selectFrom('account')
    .selectAll()
    .where('delete_at', '<=', at)
    .$if(except.length > 0, (query) => query.where('user_id', 'not in', except))
    .where('deleted_at', 'is', null)
    .orderBy('delete_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Tables whose rows belong to one user only. Refresh tokens are deleted with their sessions (cascade). */
const OWN_ROWS = [
  'session',
  'authorization_code',
  'external_identity',
  'pending_bind',
  'password_link',
  'address_link',
  'second_factor',
  'second_factor_setup',
  'recovery_code',
  'sign_in_challenge',
  'enterprise_member',
  'role_change',
  'notice_mail',
  'mail_opt_out',
] as const;

/**
 * Removes all personal data of an account. The row stays, because the audit log refers to its id. Nobody can sign in to
 * it: it has no password, no address and a random user name.
 */
export async function eraseAccount(
  db: IdentityDb,
  { user_id: userId, email_key: emailKey }: Account,
  { at, userName }: { at: Date; userName: string },
): Promise<void> {
  for (const table of OWN_ROWS) await db.deleteFrom(table).where('user_id', '=', userId).execute();
  if (emailKey !== null) await db.deleteFrom('sign_up_link').where('email_key', '=', emailKey).execute();
  await db
    .updateTable('account')
    .set({
      ...{ user_name: userName, user_name_key: userName, email: '', email_key: null },
      ...{ email_verified_at: null, nick_name: '', nick_name_key: '', password_hash: null, role: 0 },
      ...{ mobile: '', sex: 0, birthday: '', channel: '', tencent_docs: false, avatar_url: '' },
      ...{ identification: '', e_id: null, last_sign_in_at: null, delete_at: null, delete_language: null },
      ...{ language: null, disabled_at: at, signed_out_at: at, devices_since: at, deleted_at: at },
    })
    .where('user_id', '=', userId)
    .execute();
}

/**
 * Whether an enterprise with other members would have no owner without this user. Members who are leaving do not count, nor
 * do owners who are disabled.
 */
export async function isLastOwner(db: IdentityDb, userId: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from enterprise_member own
        where own.user_id = ${userId} and own.is_owner
          and exists (${otherMembers(userId)})
          and not exists (${otherMembers(userId)} and o.is_owner and a.disabled_at is null)
    ) as found`.execute(db);
  return rows[0]?.found ?? false;
}

function otherMembers(userId: number) {
  return sql`
    select from enterprise_member o join account a using (user_id)
      where o.e_id = own.e_id and o.user_id <> ${userId} and a.delete_at is null and a.deleted_at is null`;
}

/** Audit entries about a user and by a user, oldest first. */
export async function readChangesAbout(db: IdentityDb, userId: number) {
  return db
    .selectFrom('member_change')
    .select(['action', 'actor_id', 'user_id', 'detail', 'created_at'])
    .where((row) => row.or([row('user_id', '=', userId), row('actor_id', '=', userId)]))
    .orderBy('id')
    .execute();
}

/** What an administrator has changed about tools, oldest first. */
export async function readToolChangesBy(db: IdentityDb, userId: number) {
  return db
    .selectFrom('tool_change')
    .select(['action', 'client_id', 'client_name', 'detail', 'created_at'])
    .where('actor_id', '=', userId)
    .orderBy('id')
    .execute();
}
