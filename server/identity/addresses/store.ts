import type { Insertable, Selectable } from 'kysely';
import type { IdentityDb, IdentityTables } from '../schema.ts';

type SignUpLink = Selectable<IdentityTables['sign_up_link']>;
type AddressLink = Selectable<IdentityTables['address_link']>;

export async function insertSignUpLink(
  db: IdentityDb,
  link: Insertable<IdentityTables['sign_up_link']>,
): Promise<void> {
  await db.insertInto('sign_up_link').values(link).execute();
}

export function findSignUpLink(db: IdentityDb, tokenHash: Buffer, at: Date): Promise<SignUpLink | undefined> {
  return db
    .selectFrom('sign_up_link')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
}

/** Uses a link up. Of any number of simultaneous callers one is told that it was good. */
export async function takeSignUpLink(db: IdentityDb, tokenHash: Buffer, at: Date): Promise<boolean> {
  const result = await db
    .deleteFrom('sign_up_link')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function insertAddressLink(
  db: IdentityDb,
  link: Insertable<IdentityTables['address_link']>,
): Promise<void> {
  await db.insertInto('address_link').values(link).execute();
}

/** A link of this account, while it is good. */
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

/** The address that an account is to have, as far as its user was mailed a link that is good. */
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

/** Links by which an account would have taken another address are worth nothing any more. */
export async function deleteNewAddressLinks(db: IdentityDb, userId: number): Promise<void> {
  await db
    .deleteFrom('address_link')
    .where('user_id', '=', userId)
    .where('new_email', 'is not', null)
    .execute();
}

/** Gives an account an address that its user has proved to own. */
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

/** Uses up a link of this account that was mailed to this address. */
export async function takeAddressLink(
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

/** Whether somebody signs in by an address without having proved it. */
export async function isAddressSaid(db: IdentityDb, emailKey: string): Promise<boolean> {
  const found = await db
    .selectFrom('account')
    .select('user_id')
    .where('email_key', '=', emailKey)
    .where('password_hash', 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Takes an address from the accounts that only say it is theirs, and answers which those were. */
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

/** Links to an address that somebody has proved to own are worth nothing any more. */
export async function deleteLinksTo(db: IdentityDb, emailKey: string): Promise<void> {
  await db.deleteFrom('sign_up_link').where('email_key', '=', emailKey).execute();
  await db.deleteFrom('address_link').where('email_key', '=', emailKey).execute();
}

export async function deleteExpiredAddressLinks(db: IdentityDb, before: Date): Promise<void> {
  await db.deleteFrom('sign_up_link').where('expires_at', '<=', before).execute();
  await db.deleteFrom('address_link').where('expires_at', '<=', before).execute();
}
