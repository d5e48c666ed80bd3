import type { Insertable, Selectable } from 'kysely';
import type { IdentityDb, IdentityTables } from '../../schema.ts';

export type Challenge = Selectable<IdentityTables['sign_in_challenge']>;
export type ChallengeKind = Challenge['kind'];

export async function insertChallenge(
  db: IdentityDb,
  challenge: Insertable<IdentityTables['sign_in_challenge']>,
): Promise<void> {
  await db.insertInto('sign_in_challenge').values(challenge).execute();
}

export function findChallenge(
  db: IdentityDb,
  { tokenHash, at }: { tokenHash: Buffer; at: Date },
): Promise<Challenge | undefined> {
  return db
    .selectFrom('sign_in_challenge')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
}

/** Counts a wrong code and answers how many there have been. */
export async function countWrongCode(db: IdentityDb, tokenHash: Buffer): Promise<number> {
  const counted = await db
    .updateTable('sign_in_challenge')
    .set((row) => ({ wrong_codes: row('wrong_codes', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .returning('wrong_codes')
    .executeTakeFirst();
  return counted?.wrong_codes ?? 0;
}

/** Takes a sign-in of this kind; only one of any number of simultaneous callers is answered true. */
export async function takeChallenge(
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

/** Lets a sign-in whose second factor has just been set up go on until then, once its codes have been saved. */
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
