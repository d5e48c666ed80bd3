import type { IdentityDb } from '../schema.ts';
import type { Session } from '../sessions/store.ts';

/** Sessions of a user that hold, last active first. */
export function readSessionsOf(
  db: IdentityDb,
  userId: number,
  { at, limit }: { at: Date; limit: number },
): Promise<Session[]> {
  return db
    .selectFrom('session')
    .selectAll()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('last_active_at', 'desc')
    .orderBy('sid')
    .limit(limit)
    .execute();
}

/** Ends a session of this user. Answers whether it held until now. */
export async function revokeSessionOf(
  db: IdentityDb,
  { userId, sid, at }: { userId: number; sid: string; at: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('session')
    .set({ revoked_at: at })
    .where('sid', '=', sid)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
