import type { Insertable, Selectable } from 'kysely';
import type { Account, IdentityDb, IdentityTables } from '../schema.ts';

export type External = Selectable<IdentityTables['external_identity']>;
export type PendingBind = Selectable<IdentityTables['pending_bind']>;
/** What a directory says of a user, as far as it is shown. */
type ShownProfile = { name: string; email: string };

/** The account of the user whom a directory knows by this subject. */
export function findExternal(db: IdentityDb, source: string, subject: string): Promise<Account | undefined> {
  return db
    .selectFrom('external_identity as known')
    .innerJoin('account', 'account.user_id', 'known.user_id')
    .selectAll('account')
    .where('known.source', '=', source)
    .where('known.subject', '=', subject)
    .executeTakeFirst();
}

/** Links an account to a directory's subject. Answers false when that is linked already. */
export async function insertExternal(
  db: IdentityDb,
  known: { source: string; subject: string; userId: number; at: Date } & ShownProfile,
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
  { source, subject, at, ...shown }: { source: string; subject: string; at: Date } & ShownProfile,
): Promise<void> {
  await db
    .updateTable('external_identity')
    .set({ last_sign_in_at: at, ...shown })
    .where('source', '=', source)
    .where('subject', '=', subject)
    .execute();
}

/** By which external identities a user signs in, the oldest first. */
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

/** Uses up what proves a user once. Answers false when it was used before. */
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

export type SsoLogin = {
  source: string;
  /** What the method needs again at the callback. */
  secrets: Record<string, string>;
  /** What the sign-in page was opened with. */
  parameters: Record<string, string>;
};

export async function insertSsoLogin(
  db: IdentityDb,
  stateHash: Buffer,
  { source, secrets, parameters }: SsoLogin,
  expiresAt: Date,
): Promise<void> {
  await db
    .insertInto('sso_login')
    .values({
      state_hash: stateHash,
      source,
      secrets: JSON.stringify(secrets),
      parameters: JSON.stringify(parameters),
      expires_at: expiresAt,
    })
    .execute();
}

/** Takes a sign-in that was begun for this source; it can be taken once. */
export function takeSsoLogin(
  db: IdentityDb,
  { stateHash, source, at }: { stateHash: Buffer; source: string; at: Date },
): Promise<SsoLogin | undefined> {
  return db
    .deleteFrom('sso_login')
    .where('state_hash', '=', stateHash)
    .where('source', '=', source)
    .where('expires_at', '>', at)
    .returning(['source', 'secrets', 'parameters'])
    .executeTakeFirst();
}

/** Forgets sign-ins that nobody has finished, and proofs that are too old to be used. */
export async function deleteExpiredSignIns(db: IdentityDb, at: Date): Promise<void> {
  await db.deleteFrom('sso_login').where('expires_at', '<=', at).execute();
  await db.deleteFrom('used_proof').where('expires_at', '<=', at).execute();
  await db.deleteFrom('pending_bind').where('expires_at', '<=', at).execute();
}
