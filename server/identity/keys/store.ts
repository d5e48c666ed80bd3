import type { Selectable } from 'kysely';
import type { IdentityDb, IdentityTables } from '../schema.ts';

export type SigningKeyRow = Selectable<IdentityTables['signing_key']>;

/** Keys whose tokens may be valid, newest first: current and future ones, and those retired since `retiredSince`. */
export function listKeys(db: IdentityDb, retiredSince: Date): Promise<SigningKeyRow[]> {
  return db
    .selectFrom('signing_key')
    .selectAll()
    .where((row) => row.or([row('retired_at', 'is', null), row('retired_at', '>', retiredSince)]))
    .orderBy('signs_from', 'desc')
    .orderBy('kid')
    .execute();
}

export async function retireKey(db: IdentityDb, kid: string, at: Date): Promise<void> {
  await db.updateTable('signing_key').set({ retired_at: at }).where('kid', '=', kid).execute();
}

export async function deleteKeys(db: IdentityDb, retiredBefore: Date): Promise<void> {
  await db.deleteFrom('signing_key').where('retired_at', '<=', retiredBefore).execute();
}
