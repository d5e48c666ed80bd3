import { sql, type Transaction } from 'kysely';
import type { IdentityDb, IdentityTables } from '../schema.ts';

export type Attempts = { attempts: number; last_at: Date; blocked_until: Date };

/** Reads what is counted for a subject and keeps it from others until the transaction ends. */
export function lockAttempts(db: Transaction<IdentityTables>, subject: Buffer, at: Date): Promise<Attempts> {
  return db
    .insertInto('attempt')
    .values({ subject, attempts: 0, last_at: at, blocked_until: at })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ subject }))
    .returning(['attempts', 'last_at', 'blocked_until'])
    .executeTakeFirstOrThrow();
}

export async function writeAttempts(db: IdentityDb, subject: Buffer, counted: Attempts): Promise<void> {
  await db.updateTable('attempt').set(counted).where('subject', '=', subject).execute();
}

export async function forgetAttempts(db: IdentityDb, subject: Buffer): Promise<void> {
  await db.deleteFrom('attempt').where('subject', '=', subject).execute();
}

/** Takes one attempt back, and the delay that it brought. */
export async function takeBackAttempt(db: IdentityDb, subject: Buffer, at: Date): Promise<void> {
  await db
    .updateTable('attempt')
    .set({ attempts: sql`greatest(attempts - 1, 0)`, blocked_until: at })
    .where('subject', '=', subject)
    .execute();
}

export async function deleteOldAttempts(db: IdentityDb, lastBefore: Date): Promise<void> {
  await db.deleteFrom('attempt').where('last_at', '<=', lastBefore).execute();
}
