import type { Selectable } from 'kysely';
import type { Account, IdentityDb, IdentityTables } from '../../schema.ts';

export type External = Selectable<IdentityTables['external_identity']>;
export type PendingBind = Selectable<IdentityTables['pending_bind']>;
type ShownProfile = { name: string; email: string };

/** The account that is linked to a subject of a directory. */
export function findExternal(db: IdentityDb, source: string, subject: string): Promise<Account | undefined> {
  return db
    .selectFrom('external_identity as known')
    .innerJoin('account', 'account.user_id', 'known.user_id')
    .selectAll('account')
    .where('known.source', '=', source)
    .where('known.subject', '=', subject)
    .executeTakeFirst();
}

/** Links an account to a subject of a directory. @returns false when the subject is linked already */
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

export async function updateExternal(
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

/** External identities of a user, oldest first. */
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

export function findPendingBind(db: IdentityDb, idHash: Buffer, at: Date): Promise<PendingBind | undefined> {
  return db
    .selectFrom('pending_bind')
    .selectAll()
    .where('id_hash', '=', idHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
}

/** Consumes a pending bind. Returns true to one of any number of concurrent callers. */
export async function consumePendingBind(db: IdentityDb, { id_hash }: PendingBind): Promise<boolean> {
  const result = await db.deleteFrom('pending_bind').where('id_hash', '=', id_hash).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Stores a one-time assertion or token as used. @returns false when it was used before */
export async function consumeProof(
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
  /** Secrets of the method for the callback. */
  secrets: Record<string, string>;
  /** Parameters of the sign-in page. */
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

/** Consumes a pending sign-in of this source; only one caller gets it. */
export function consumeSsoLogin(
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
