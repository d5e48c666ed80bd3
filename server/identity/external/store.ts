import type { Account, IdentityDb } from '../schema.ts';

/** The account of somebody whom a directory knows by this subject. */
export function findExternal(db: IdentityDb, source: string, subject: string): Promise<Account | undefined> {
  return db
    .selectFrom('external_identity as known')
    .innerJoin('account', 'account.user_id', 'known.user_id')
    .selectAll('account')
    .where('known.source', '=', source)
    .where('known.subject', '=', subject)
    .executeTakeFirst();
}

/** Remembers whom a directory means by a subject. Answers false when it already means somebody. */
export async function insertExternal(
  db: IdentityDb,
  known: { source: string; subject: string; userId: number; at: Date },
): Promise<boolean> {
  const { source, subject, userId, at } = known;
  const result = await db
    .insertInto('external_identity')
    .values({ source, subject, user_id: userId, created_at: at, last_sign_in_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function noteExternal(db: IdentityDb, source: string, subject: string, at: Date): Promise<void> {
  await db
    .updateTable('external_identity')
    .set({ last_sign_in_at: at })
    .where('source', '=', source)
    .where('subject', '=', subject)
    .execute();
}

export async function insertPendingBind(
  db: IdentityDb,
  pending: { idHash: Buffer; source: string; subject: string; userId: number; expiresAt: Date },
): Promise<void> {
  const { idHash, source, subject, userId, expiresAt } = pending;
  await db
    .insertInto('pending_bind')
    .values({ id_hash: idHash, source, subject, user_id: userId, expires_at: expiresAt })
    .execute();
}

/** Takes a pending bind of this account; it can be taken once. */
export function takePendingBind(
  db: IdentityDb,
  { idHash, userId, at }: { idHash: Buffer; userId: number; at: Date },
): Promise<{ source: string; subject: string } | undefined> {
  return db
    .deleteFrom('pending_bind')
    .where('id_hash', '=', idHash)
    .where('user_id', '=', userId)
    .where('expires_at', '>', at)
    .returning(['source', 'subject'])
    .executeTakeFirst();
}

/** Uses up what proves a person once. Answers false when it was used before. */
export async function useProof(
  db: IdentityDb,
  proof: { source: string; hash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const result = await db
    .insertInto('used_proof')
    .values({ source: proof.source, proof_hash: proof.hash, expires_at: proof.expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Forgets what nobody comes back to any more. */
export async function deleteExpiredArrivals(db: IdentityDb, at: Date): Promise<void> {
  await db.deleteFrom('sso_login').where('expires_at', '<=', at).execute();
  await db.deleteFrom('used_proof').where('expires_at', '<=', at).execute();
  await db.deleteFrom('pending_bind').where('expires_at', '<=', at).execute();
}
