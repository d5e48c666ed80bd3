import type { Insertable, Selectable } from 'kysely';
import type { IdentityDb, IdentityTables } from '../schema.ts';

export type SigningKey = Selectable<IdentityTables['signing_key']>;

/** Keys whose tokens may still be about, newest first: those in use and those retired since the given moment. */
export function listKeys(db: IdentityDb, retiredSince: Date): Promise<SigningKey[]> {
  return db
    .selectFrom('signing_key')
    .selectAll()
    .where((row) => row.or([row('retired_at', 'is', null), row('retired_at', '>', retiredSince)]))
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute();
}

export async function insertKey(
  db: IdentityDb,
  key: Insertable<IdentityTables['signing_key']>,
): Promise<void> {
  await db.insertInto('signing_key').values(key).execute();
}
