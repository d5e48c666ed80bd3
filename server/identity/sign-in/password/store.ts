import type { Account, IdentityDb } from '../../schema.ts';

/** The account of a valid link. */
export function findAccountOfLink(db: IdentityDb, tokenHash: Buffer, at: Date): Promise<Account | undefined> {
  return db
    .selectFrom('password_link as link')
    .innerJoin('account', 'account.user_id', 'link.user_id')
    .selectAll('account')
    .where('link.token_hash', '=', tokenHash)
    .where('link.expires_at', '>', at)
    .executeTakeFirst();
}

export async function deleteLinksOf(db: IdentityDb, userId: number): Promise<void> {
  await db.deleteFrom('password_link').where('user_id', '=', userId).execute();
}
