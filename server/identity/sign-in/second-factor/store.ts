import type { Selectable } from 'kysely';
import type { IdentityDb, IdentityTables } from '../../schema.ts';

type SecondFactor = Selectable<IdentityTables['second_factor']>;

export function findSecondFactor(db: IdentityDb, userId: number): Promise<SecondFactor | undefined> {
  return db.selectFrom('second_factor').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** @returns false when the user has a second factor already */
export async function insertSecondFactor(
  db: IdentityDb,
  { userId, encryptedSecret, step, at }: { userId: number; encryptedSecret: string; step: number; at: Date },
): Promise<boolean> {
  const result = await db
    .insertInto('second_factor')
    .values({ user_id: userId, sealed_secret: encryptedSecret, last_step: step, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Deletes the second factor of a user with its recovery codes and pending sign-ins. */
export async function deleteSecondFactor(db: IdentityDb, userId: number): Promise<boolean> {
  await db.deleteFrom('sign_in_challenge').where('user_id', '=', userId).execute();
  const result = await db.deleteFrom('second_factor').where('user_id', '=', userId).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Consumes all codes up to this step. Returns true to one of any number of concurrent callers. */
export async function consumeStep(db: IdentityDb, userId: number, step: number): Promise<boolean> {
  const result = await db
    .updateTable('second_factor')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Consumes a recovery code. Returns true to one of any number of concurrent callers. */
export async function consumeRecoveryCode(
  db: IdentityDb,
  { userId, codeHash, at }: { userId: number; codeHash: Buffer; at: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('recovery_code')
    .set({ used_at: at })
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function replaceRecoveryCodes(
  db: IdentityDb,
  userId: number,
  codeHashes: readonly Buffer[],
): Promise<void> {
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
  const rows = codeHashes.map((code_hash) => ({ user_id: userId, code_hash }));
  await db.insertInto('recovery_code').values(rows).execute();
}

export async function countRecoveryCodes(db: IdentityDb, userId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_code')
    .select((row) => row.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return left;
}

/** Stores a secret until its user confirms it; replaces an earlier one. */
export async function upsertSetup(
  db: IdentityDb,
  { userId, encryptedSecret, expiresAt }: { userId: number; encryptedSecret: string; expiresAt: Date },
): Promise<void> {
  const setup = { sealed_secret: encryptedSecret, expires_at: expiresAt };
  await db
    .insertInto('second_factor_setup')
    .values({ user_id: userId, ...setup })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(setup))
    .execute();
}

export async function findSetup(db: IdentityDb, userId: number, at: Date): Promise<string | undefined> {
  const found = await db
    .selectFrom('second_factor_setup')
    .select('sealed_secret')
    .where('user_id', '=', userId)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return found?.sealed_secret;
}

export async function deleteSetup(db: IdentityDb, userId: number): Promise<void> {
  await db.deleteFrom('second_factor_setup').where('user_id', '=', userId).execute();
}

export type ChallengeRow = Selectable<IdentityTables['sign_in_challenge']>;
type ChallengeKind = ChallengeRow['kind'];

export function findChallenge(
  db: IdentityDb,
  tokenHash: Buffer,
  at: Date,
): Promise<ChallengeRow | undefined> {
  return db
    .selectFrom('sign_in_challenge')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
}

/** Counts a wrong code. @returns the number of wrong codes */
export async function countWrongCode(db: IdentityDb, tokenHash: Buffer): Promise<number> {
  const counted = await db
    .updateTable('sign_in_challenge')
    .set((row) => ({ wrong_codes: row('wrong_codes', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .returning('wrong_codes')
    .executeTakeFirst();
  return counted?.wrong_codes ?? 0;
}

/** Consumes a pending sign-in of this kind. Returns true to one of any number of concurrent callers. */
export async function consumeChallenge(
  db: IdentityDb,
  { tokenHash, kind }: { tokenHash: Buffer; kind: ChallengeKind },
): Promise<boolean> {
  const result = await db
    .deleteFrom('sign_in_challenge')
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** After the setup: extends a pending sign-in until the user has saved the recovery codes. */
export async function passChallenge(db: IdentityDb, tokenHash: Buffer, until: Date): Promise<boolean> {
  const result = await db
    .updateTable('sign_in_challenge')
    .set({ kind: 'passed', sealed_secret: null, expires_at: until })
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', 'enrol')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteChallenge(db: IdentityDb, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sign_in_challenge').where('token_hash', '=', tokenHash).execute();
}
