import { type Insertable, type Selectable, sql } from 'kysely';
import type { IdentityDb, IdentityTables } from '../schema.ts';

type State = IdentityTables['oauth_state'];
type Key = Pick<Insertable<State>, 'model' | 'id_hash'>;

export function findState(
  db: IdentityDb,
  { model, id_hash }: Key,
): Promise<Pick<Selectable<State>, 'sealed' | 'consumed_at'> | undefined> {
  return db
    .selectFrom('oauth_state')
    .select(['sealed', 'consumed_at'])
    .where('model', '=', model)
    .where('id_hash', '=', id_hash)
    .executeTakeFirst();
}

/** Writes a row, over an earlier one. */
export async function putState(db: IdentityDb, row: Insertable<State>): Promise<void> {
  const { sealed, grant_id, expires_at } = row;
  await db
    .insertInto('oauth_state')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['model', 'id_hash']).doUpdateSet({ sealed, grant_id, expires_at }),
    )
    .execute();
}

/** Writes a row that must be new. @returns false if there is one already */
export async function insertState(db: IdentityDb, row: Insertable<State>): Promise<boolean> {
  const result = await db
    .insertInto('oauth_state')
    .values(row)
    .onConflict((conflict) => conflict.columns(['model', 'id_hash']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/**
 * Uses a row that nobody has used, or first after `usableSince`. Rows are kept until `until` at most.
 * @returns false if it was used before, or does not exist
 */
export async function consumeState(
  db: IdentityDb,
  { model, id_hash }: Key,
  { at, usableSince, until }: { at: Date; usableSince: Date; until: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('oauth_state')
    .set({
      consumed_at: sql`coalesce(consumed_at, ${at})`,
      expires_at: sql`least(expires_at, ${until})`,
    })
    .where('model', '=', model)
    .where('id_hash', '=', id_hash)
    .where((row) => row.or([row('consumed_at', 'is', null), row('consumed_at', '>', usableSince)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The row whose code a user has typed, until it is answered. */
export function findStateOfUserCode(
  db: IdentityDb,
  userCodeHash: Buffer,
  at: Date,
): Promise<Pick<Selectable<State>, 'sealed' | 'id_hash'> | undefined> {
  return db
    .selectFrom('oauth_state')
    .select(['sealed', 'id_hash'])
    .where('user_code_hash', '=', userCodeHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
}

/** Takes the code that a user has typed out of use. @returns false if another request has, or it has expired */
export async function claimUserCode(db: IdentityDb, userCodeHash: Buffer, at: Date): Promise<boolean> {
  const result = await db
    .updateTable('oauth_state')
    .set({ user_code_hash: null })
    .where('user_code_hash', '=', userCodeHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Records that a device has asked. One that asks too early has to wait longer from then on, by `penalty` seconds;
 * `tolerance` in milliseconds. @returns whether it was early
 */
export async function recordPoll(
  db: IdentityDb,
  { model, id_hash }: Key,
  { at, tolerance, penalty }: { at: Date; tolerance: number; penalty: number },
): Promise<boolean> {
  const update = db
    .updateTable('oauth_state')
    .set({ polled_at: at })
    .where('model', '=', model)
    .where('id_hash', '=', id_hash);
  const isDue = sql<boolean>`(polled_at is null
    or polled_at + poll_seconds * interval '1 second' <= ${new Date(at.getTime() + tolerance)})`;
  const inTime = await update.where(isDue).executeTakeFirst();
  if (inTime.numUpdatedRows > 0n) return false;
  await update.set({ poll_seconds: sql`poll_seconds + ${penalty}` }).execute();
  return true;
}

export async function deleteState(db: IdentityDb, { model, id_hash }: Key): Promise<void> {
  await db.deleteFrom('oauth_state').where('model', '=', model).where('id_hash', '=', id_hash).execute();
}

export async function deleteStateOfGrant(db: IdentityDb, model: string, grantId: string): Promise<void> {
  await db.deleteFrom('oauth_state').where('model', '=', model).where('grant_id', '=', grantId).execute();
}
