import type { Insertable, Selectable } from 'kysely';
import type { Account, IdentityDb, IdentityTables } from '../schema.ts';

export type External = Selectable<IdentityTables['external_identity']>;
export type PendingBind = Selectable<IdentityTables['pending_bind']>;
/** What a directory says of somebody, as far as it is shown. */
export type ShownPerson = { name: string; email: string };

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
  known: { source: string; subject: string; userId: number; at: Date } & ShownPerson,
): Promise<boolean> {
  const { source, subject, userId, at, name, email } = known;
  const result = await db
    .insertInto('external_identity')
    .values({ source, subject, user_id: userId, created_at: at, last_sign_in_at: at, name, email })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function noteExternal(
  db: IdentityDb,
  { source, subject, at, ...shown }: { source: string; subject: string; at: Date } & ShownPerson,
): Promise<void> {
  await db
    .updateTable('external_identity')
    .set({ last_sign_in_at: at, ...shown })
    .where('source', '=', source)
    .where('subject', '=', subject)
    .execute();
}

/** By what somebody signs in elsewhere, the oldest first. */
export function readExternalsOf(db: IdentityDb, userId: number): Promise<External[]> {
  return db
    .selectFrom('external_identity')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('source')
    .orderBy('subject')
    .execute();
}

export async function deleteExternal(
  db: IdentityDb,
  { source, subject }: Pick<External, 'source' | 'subject'>,
): Promise<void> {
  await db
    .deleteFrom('external_identity')
    .where('source', '=', source)
    .where('subject', '=', subject)
    .execute();
}

export async function insertPendingBind(
  db: IdentityDb,
  pending: Insertable<IdentityTables['pending_bind']>,
): Promise<void> {
  await db.insertInto('pending_bind').values(pending).execute();
}

export function findPendingBind(
  db: IdentityDb,
  { idHash, at }: { idHash: Buffer; at: Date },
): Promise<PendingBind | undefined> {
  return db
    .selectFrom('pending_bind')
    .selectAll()
    .where('id_hash', '=', idHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
}

/** Uses a pending bind up. Only one of any number of simultaneous callers is answered true. */
export async function takePendingBind(db: IdentityDb, { id_hash }: PendingBind): Promise<boolean> {
  const result = await db.deleteFrom('pending_bind').where('id_hash', '=', id_hash).executeTakeFirst();
  return result.numDeletedRows > 0n;
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
