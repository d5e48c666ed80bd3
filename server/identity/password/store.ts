import type { Account, IdentityDb } from '../schema.ts';

export async function insertLink(
  db: IdentityDb,
  link: { token_hash: Buffer; user_id: number; expires_at: Date },
): Promise<void> {
  await db.insertInto('password_link').values(link).execute();
}

/** The account whose password a link sets, while the link is good. */
export function findAccountOfLink(db: IdentityDb, tokenHash: Buffer, at: Date): Promise<Account | undefined> {
  return db
    .selectFrom('password_link as link')
    .innerJoin('account', 'account.user_id', 'link.user_id')
    .selectAll('account')
    .where('link.token_hash', '=', tokenHash)
    .where('link.expires_at', '>', at)
    .executeTakeFirst();
}

/** Uses a link up. Of any number of simultaneous callers one is told that it was good. */
export async function takeLink(db: IdentityDb, tokenHash: Buffer, at: Date): Promise<boolean> {
  const result = await db
    .deleteFrom('password_link')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deleteLinksOf(db: IdentityDb, userId: number): Promise<void> {
  await db.deleteFrom('password_link').where('user_id', '=', userId).execute();
}

export async function deleteExpiredLinks(db: IdentityDb, before: Date): Promise<void> {
  await db.deleteFrom('password_link').where('expires_at', '<=', before).execute();
}
