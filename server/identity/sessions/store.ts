import type { Insertable, Selectable } from 'kysely';
import type { IdentityDb, IdentityTables } from '../schema.ts';

export type Session = Selectable<IdentityTables['session']>;

export async function insertSession(
  db: IdentityDb,
  session: Insertable<IdentityTables['session']>,
): Promise<void> {
  await db.insertInto('session').values(session).execute();
}

export async function insertRefreshToken(
  db: IdentityDb,
  token: Insertable<IdentityTables['refresh_token']>,
): Promise<void> {
  await db.insertInto('refresh_token').values(token).execute();
}

export function findSession(db: IdentityDb, sid: string): Promise<Session | undefined> {
  return db.selectFrom('session').selectAll().where('sid', '=', sid).executeTakeFirst();
}

/** The session of a refresh token that has not run out, whether the session is revoked or not. */
export function findSessionOfToken(
  db: IdentityDb,
  tokenHash: Buffer,
  at: Date,
): Promise<Session | undefined> {
  return db
    .selectFrom('refresh_token as token')
    .innerJoin('session', 'session.sid', 'token.sid')
    .selectAll('session')
    .where('token.token_hash', '=', tokenHash)
    .where('token.expires_at', '>', at)
    .executeTakeFirst();
}

export async function markTokenUsed(db: IdentityDb, tokenHash: Buffer, at: Date): Promise<void> {
  await db.updateTable('refresh_token').set({ used_at: at }).where('token_hash', '=', tokenHash).execute();
}

/** Lets the tokens a session has had so far run out no later than the given moment. */
export async function expireTokens(db: IdentityDb, sid: string, at: Date): Promise<void> {
  await db
    .updateTable('refresh_token')
    .set({ expires_at: at })
    .where('sid', '=', sid)
    .where('expires_at', '>', at)
    .execute();
}

/** Ends a session and with it all its tokens. Answers whether it was alive until now. */
export async function revokeSession(db: IdentityDb, sid: string, at: Date): Promise<boolean> {
  const result = await db
    .updateTable('session')
    .set({ revoked_at: at })
    .where('sid', '=', sid)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends all sessions of a person. */
export async function revokeSessionsOf(db: IdentityDb, userId: number, at: Date): Promise<void> {
  await db
    .updateTable('session')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Forgets what ran out before the given moment. */
export async function deleteExpiredSessions(db: IdentityDb, before: Date): Promise<void> {
  await db.deleteFrom('refresh_token').where('expires_at', '<=', before).execute();
  await db.deleteFrom('session').where('expires_at', '<=', before).execute();
}
