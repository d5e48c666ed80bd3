import { sql, type Transaction } from 'kysely';
import type { IdentityDb, IdentityTables } from '../../schema.ts';

type Attempts = { attempts: number; last_at: Date; blocked_until: Date };

/** Reads the counts of a subject and locks the row until the transaction ends. */
export function lockAttempts(db: Transaction<IdentityTables>, subject: Buffer, at: Date): Promise<Attempts> {
  return db
    .insertInto('attempt')
    .values({ subject, attempts: 0, last_at: at, blocked_until: at })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ subject }))
    .returning(['attempts', 'last_at', 'blocked_until'])
    .executeTakeFirstOrThrow();
}

export async function updateAttempts(db: IdentityDb, subject: Buffer, counted: Attempts): Promise<void> {
  await db.updateTable('attempt').set(counted).where('subject', '=', subject).execute();
}

export async function deleteAttempts(db: IdentityDb, subject: Buffer): Promise<void> {
  await db.deleteFrom('attempt').where('subject', '=', subject).execute();
}

/** Removes one attempt and the current delay. */
export async function decrementAttempts(db: IdentityDb, subject: Buffer, at: Date): Promise<void> {
  await db
    .updateTable('attempt')
    .set({ attempts: sql`greatest(attempts - 1, 0)`, blocked_until: at })
    .where('subject', '=', subject)
    .execute();
}

/** Whether an account signed in from a network after `since`. */
export async function isNetworkKnown(db: IdentityDb, subject: Buffer, since: Date): Promise<boolean> {
  const found = await db
    .selectFrom('known_network')
    .select('last_at')
    .where('subject', '=', subject)
    .where('last_at', '>', since)
    .executeTakeFirst();
  return found !== undefined;
}

export async function upsertNetwork(db: IdentityDb, subject: Buffer, at: Date): Promise<void> {
  await db
    .insertInto('known_network')
    .values({ subject, last_at: at })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ last_at: at }))
    .execute();
}
