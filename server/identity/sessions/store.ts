import type { Insertable, Selectable } from 'kysely';
import type { LoginMethod } from '../../../shared/entities/user.ts';
import type { IdentityDb, IdentityTables } from '../schema.ts';

export type Session = Selectable<IdentityTables['session']>;

/** How a user has signed in: the method, and which of the deployment's it was. */
export type By = { method: LoginMethod; source: string | null };

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

/** A session as one of its refresh tokens finds it. */
export type SessionOfToken = Session & { replaced_at: Date | null };

/** The session of a refresh token that has not run out, whether it was replaced, and the session revoked, or not. */
export function findSessionOfToken(
  db: IdentityDb,
  tokenHash: Buffer,
  at: Date,
): Promise<SessionOfToken | undefined> {
  return db
    .selectFrom('refresh_token as token')
    .innerJoin('session', 'session.sid', 'token.sid')
    .selectAll('session')
    .select('token.replaced_at')
    .where('token.token_hash', '=', tokenHash)
    .where('token.expires_at', '>', at)
    .executeTakeFirst();
}

/** Notes that a token was used although it was good no more. Answers whether it is the first time. */
export async function noteMisuse(db: IdentityDb, tokenHash: Buffer, at: Date): Promise<boolean> {
  const result = await db
    .updateTable('refresh_token')
    .set({ misused_at: at })
    .where('token_hash', '=', tokenHash)
    .where('misused_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Notes that somebody is there, unless that was noted after `since`. */
export async function noteActivity(
  db: IdentityDb,
  sid: string,
  { at, since }: { at: Date; since: Date },
): Promise<void> {
  await db
    .updateTable('session')
    .set({ last_active_at: at })
    .where('sid', '=', sid)
    .where('last_active_at', '<=', since)
    .execute();
}

/** Notes that the tokens a session has had so far are replaced. */
export async function replaceTokens(db: IdentityDb, sid: string, at: Date): Promise<void> {
  await db
    .updateTable('refresh_token')
    .set({ replaced_at: at })
    .where('sid', '=', sid)
    .where('replaced_at', 'is', null)
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

/** Ends all sessions of a user. */
export async function revokeSessionsOf(db: IdentityDb, userId: number, at: Date): Promise<void> {
  await db
    .updateTable('session')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute();
}

/**
 * Ends all sessions of a user but one, of those that came by `source` where it is given, and the codes that would begin
 * more of them. Answers which sessions those were.
 */
export async function revokeOtherSessions(
  db: IdentityDb,
  userId: number,
  keptSid: string,
  at: Date,
  source?: string,
): Promise<string[]> {
  await db.updateTable('account').set({ signed_out_at: at }).where('user_id', '=', userId).execute();
  const ended = await db
    .updateTable('session')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('sid', '<>', keptSid)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .$if(source !== undefined, (update) => update.where('source', '=', source ?? null))
    .returning('sid')
    .execute();
  return ended.map(({ sid }) => sid);
}

/** Forgets what ran out before the given moment. */
export async function deleteExpiredSessions(db: IdentityDb, before: Date): Promise<void> {
  await db.deleteFrom('refresh_token').where('expires_at', '<=', before).execute();
  await db.deleteFrom('session').where('expires_at', '<=', before).execute();
}

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
