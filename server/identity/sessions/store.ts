import type { Selectable } from 'kysely';
import type { LoginMethod } from '../../../shared/entities/user.ts';
import type { IdentityDb, IdentityTables } from '../schema.ts';

export type Session = Selectable<IdentityTables['session']>;

/** Sign-in method of a session, and the id of its provider. */
export type By = { method: LoginMethod; source: string | null };

export function findSession(db: IdentityDb, sid: string): Promise<Session | undefined> {
  return db.selectFrom('session').selectAll().where('sid', '=', sid).executeTakeFirst();
}

/** The part that all tokens of a family have, and the rest, which is empty for the first one. */
export type TokenParts = { family: string; serial: string };

export function partsOf(token: string): TokenParts {
  const [family = '', ...rest] = token.split('.');
  return { family, serial: rest.join('.') };
}

type Rotation = Pick<
  Selectable<IdentityTables['refresh_token']>,
  'replaced_at' | 'serial_hash' | 'former_serial_hash' | 'rotation_salt' | 'rotated_at'
>;
export type SessionOfToken = Session & Rotation;

/** The session of an unexpired family of refresh tokens, even if it was replaced or the session revoked. */
export function findSessionOfToken(
  db: IdentityDb,
  familyHash: Buffer,
  at: Date,
  { lock = false } = {},
): Promise<SessionOfToken | undefined> {
  return db
    .selectFrom('refresh_token as token')
    .innerJoin('session', 'session.sid', 'token.sid')
    .selectAll('session')
    .select([
      'token.replaced_at',
      'token.serial_hash',
      'token.former_serial_hash',
      'token.rotation_salt',
      'token.rotated_at',
    ])
    .where('token.token_hash', '=', familyHash)
    .where('token.expires_at', '>', at)
    .$if(lock, (query) => query.forUpdate('token'))
    .executeTakeFirst();
}

/** Makes another token the latest of its family. */
export async function rotateToken(
  db: IdentityDb,
  familyHash: Buffer,
  next: { serialHash: Buffer; formerSerialHash: Buffer | null; salt: Buffer; at: Date },
): Promise<void> {
  await db
    .updateTable('refresh_token')
    .set({
      serial_hash: next.serialHash,
      former_serial_hash: next.formerSerialHash,
      rotation_salt: next.salt,
      rotated_at: next.at,
    })
    .where('token_hash', '=', familyHash)
    .execute();
}

/** Records the use of an invalidated token. @returns whether this is the first time */
export async function recordTokenMisuse(db: IdentityDb, tokenHash: Buffer, at: Date): Promise<boolean> {
  const result = await db
    .updateTable('refresh_token')
    .set({ misused_at: at })
    .where('token_hash', '=', tokenHash)
    .where('misused_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Updates the last activity of a session, unless it was updated after `since`. */
export async function recordActivity(
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

/** Marks the current refresh tokens of a session as replaced. */
export async function replaceTokens(db: IdentityDb, sid: string, at: Date): Promise<void> {
  await db
    .updateTable('refresh_token')
    .set({ replaced_at: at })
    .where('sid', '=', sid)
    .where('replaced_at', 'is', null)
    .execute();
}

/** Ends a session with all its tokens, only of `userId` if given. @returns whether it was valid until now */
export async function revokeSession(
  db: IdentityDb,
  sid: string,
  at: Date,
  userId?: number,
): Promise<boolean> {
  const result = await db
    .updateTable('session')
    .set({ revoked_at: at })
    .where('sid', '=', sid)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .$if(userId !== undefined, (update) => update.where('user_id', '=', userId ?? 0))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends all sessions that a tool has with a user. @returns their ids */
export async function revokeSessionsOfTool(
  db: IdentityDb,
  { userId, clientId, at }: { userId: number; clientId: string; at: Date },
): Promise<string[]> {
  const ended = await db
    .updateTable('session')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .returning('sid')
    .execute();
  return ended.map(({ sid }) => sid);
}

export async function revokeSessionsOf(db: IdentityDb, userId: number, at: Date): Promise<void> {
  await db
    .updateTable('session')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute();
}

/**
 * Ends all sessions of a user except one, only those of `source` if given, and invalidates codes for new ones. Returns the
 * ids of the ended sessions.
 */
export async function revokeOtherSessions(
  db: IdentityDb,
  userId: number,
  currentSid: string,
  at: Date,
  source?: string,
): Promise<string[]> {
  await db.updateTable('account').set({ signed_out_at: at }).where('user_id', '=', userId).execute();
  const ended = await db
    .updateTable('session')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('sid', '<>', currentSid)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .$if(source !== undefined, (update) => update.where('source', '=', source ?? null))
    .returning('sid')
    .execute();
  return ended.map(({ sid }) => sid);
}

const SESSIONS_MAX = 100;

/** Valid sessions of a user, last active first; `kind`: only those of browsers or of tools. */
export function readSessionsOf(
  db: IdentityDb,
  userId: number,
  { at, kind }: { at: Date; kind?: 'browser' | 'tool' },
): Promise<Session[]> {
  return db
    .selectFrom('session')
    .selectAll()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .$if(kind === 'browser', (query) => query.where('client_id', 'is', null))
    .$if(kind === 'tool', (query) => query.where('client_id', 'is not', null))
    .orderBy('last_active_at', 'desc')
    .orderBy('sid')
    .limit(SESSIONS_MAX)
    .execute();
}
