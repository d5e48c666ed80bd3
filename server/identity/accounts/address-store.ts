import type { Selectable } from 'kysely';
import type { IdentityDb, IdentityTables } from '../schema.ts';

type SignUpLink = Selectable<IdentityTables['sign_up_link']>;
type AddressLink = Selectable<IdentityTables['address_link']>;

export function findSignUpLink(db: IdentityDb, tokenHash: Buffer, at: Date): Promise<SignUpLink | undefined> {
  return db
    .selectFrom('sign_up_link')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
}

/** A valid link of this account. */
export function findAddressLink(
  db: IdentityDb,
  { tokenHash, userId, at }: { tokenHash: Buffer; userId: number; at: Date },
): Promise<AddressLink | undefined> {
  return db
    .selectFrom('address_link')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .where('expires_at', '>', at)
    .executeTakeFirst();
}

/** The new address that a valid link was mailed to; null without one. */
export async function findNewAddress(db: IdentityDb, userId: number, at: Date): Promise<string | null> {
  const found = await db
    .selectFrom('address_link')
    .select('new_email')
    .where('user_id', '=', userId)
    .where('new_email', 'is not', null)
    .where('expires_at', '>', at)
    .limit(1)
    .executeTakeFirst();
  return found?.new_email ?? null;
}

export async function deleteNewAddressLinks(db: IdentityDb, userId: number): Promise<void> {
  await db
    .deleteFrom('address_link')
    .where('user_id', '=', userId)
    .where('new_email', 'is not', null)
    .execute();
}

/** Sets a verified address. */
export async function setAddress(
  db: IdentityDb,
  userId: number,
  { email, emailKey, at }: { email: string; emailKey: string; at: Date },
): Promise<void> {
  await db
    .updateTable('account')
    .set({ email, email_key: emailKey, email_verified_at: at })
    .where('user_id', '=', userId)
    .execute();
}

/** Consumes a link of this account that was mailed to this address. */
export async function consumeAddressLink(
  db: IdentityDb,
  link: { tokenHash: Buffer; userId: number; emailKey: string; at: Date },
): Promise<boolean> {
  const result = await db
    .deleteFrom('address_link')
    .where('token_hash', '=', link.tokenHash)
    .where('user_id', '=', link.userId)
    .where('email_key', '=', link.emailKey)
    .where('expires_at', '>', link.at)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function setVerified(db: IdentityDb, userId: number, at: Date): Promise<void> {
  await db.updateTable('account').set({ email_verified_at: at }).where('user_id', '=', userId).execute();
}

/** Whether an account signs in with an address and a password; the caller knows that nobody has verified it. */
export async function isUnverifiedSignIn(db: IdentityDb, emailKey: string): Promise<boolean> {
  const found = await db
    .selectFrom('account')
    .select('user_id')
    .where('email_key', '=', emailKey)
    .where('password_hash', 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Removes an address from the accounts that have not verified it. @returns their ids */
export async function releaseAddress(
  db: IdentityDb,
  emailKey: string,
  { exceptFor }: { exceptFor: number | undefined },
): Promise<number[]> {
  const released = await db
    .updateTable('account')
    .set({ email: '', email_key: null })
    .where('email_key', '=', emailKey)
    .where('email_verified_at', 'is', null)
    .$if(exceptFor !== undefined, (query) => query.where('user_id', '<>', exceptFor ?? 0))
    .returning('user_id')
    .execute();
  return released.map(({ user_id }) => user_id);
}

/** Deletes all links to an address, once an account has verified it. */
export async function deleteLinksTo(db: IdentityDb, emailKey: string): Promise<void> {
  await db.deleteFrom('sign_up_link').where('email_key', '=', emailKey).execute();
  await db.deleteFrom('address_link').where('email_key', '=', emailKey).execute();
}
