import { type Insertable, type Selectable, sql } from 'kysely';
import type { CommunityTables, Db } from '../../schema.ts';

type KeyTable = CommunityTables['approval_key'];

/** All keys, newest first: there is one for each rotation. */
export function listKeys(db: Db): Promise<Selectable<KeyTable>[]> {
  return db.selectFrom('approval_key').selectAll().orderBy('created_at', 'desc').orderBy('kid').execute();
}

/** Stores a key unless it is there already. */
export async function insertKey(trx: Db, key: Insertable<KeyTable>): Promise<void> {
  await trx
    .insertInto('approval_key')
    .values(key)
    .onConflict((conflict) => conflict.column('kid').doNothing())
    .execute();
}

/** Lets one transaction at a time make a key. */
export async function lockKeys(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('plugin-square approval key', 0))`.execute(trx);
}

export async function retireKeys(trx: Db, at: Date): Promise<void> {
  await trx.updateTable('approval_key').set({ retired_at: at }).where('retired_at', 'is', null).execute();
}
