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

export async function deleteState(db: IdentityDb, { model, id_hash }: Key): Promise<void> {
  await db.deleteFrom('oauth_state').where('model', '=', model).where('id_hash', '=', id_hash).execute();
}

export async function deleteStateOfGrant(db: IdentityDb, model: string, grantId: string): Promise<void> {
  await db.deleteFrom('oauth_state').where('model', '=', model).where('grant_id', '=', grantId).execute();
}
