import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { ROLE_ADMIN, ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import type { Role } from '../../../shared/entities/user.ts';
import {
  authenticateCalls,
  insufficientScope,
  callerOf as requireCaller,
  tokenInvalid,
} from '../../http/authentication.ts';
import { appError } from '../../http/errors.ts';
import { findUser, type User } from '../accounts/store.ts';
import { ACTIVITY_INTERVAL, REPLACED_TOKEN_GRACE } from '../lifetimes.ts';
import { secretHash } from '../secret.ts';
import {
  findSession,
  findSessionOfToken,
  partsOf,
  recordActivity,
  recordTokenMisuse,
  revokeSession,
  type Session,
  type SessionOfToken,
} from './store.ts';
import type { SessionContext } from './tokens.ts';
import { sendBackchannelLogout, sessionIdOf } from './tokens.ts';

/** User and session of a bearer token. */
export type Caller = { user: User; session: Session };

/** The caller of a route with a bearer token. */
export const callerOf = requireCaller<Caller>;

/**
 * Authorizes the calls of the contract: for users and administrators a valid session, and for super administrators the
 * current role of the account. The session is checked in the database, because the token may be 15 minutes old.
 */
export function authenticateSessions(app: FastifyInstance, keys: readonly Buffer[]): void {
  const { identity } = app;
  authenticateCalls<Caller>(app, {
    service: 'identity',
    keys,
    readerOf({ log, routeOptions: { config } }) {
      const isForUsers = config.route !== undefined && config.route.access !== 'all';
      const kind = config.bearer ?? (isForUsers ? 'access' : undefined);
      return kind && ((token) => BEARERS[kind](identity, token, log));
    },
    async authorize({ user }, { access, route }) {
      if (access !== 'user' && !isAllowed(user.role, route.superAdmin)) throw appError('FORBIDDEN');
    },
  });
}

function isAllowed(role: Role, superAdmin: true | undefined): boolean {
  return role === ROLE_SUPER_ADMIN || (role === ROLE_ADMIN && !superAdmin);
}

/** An access token is valid only while its session is. @throws TOKEN_INVALID; FORBIDDEN for a session with scopes */
type FindCaller = (identity: SessionContext, token: string, log: FastifyBaseLogger) => Promise<Caller>;

const BEARERS: Readonly<Record<'access' | 'refresh', FindCaller>> = {
  access: async (identity, token) => {
    const sid = await sessionIdOf(identity, token);
    const caller = await findActiveCaller(
      identity,
      sid === undefined ? undefined : await findSession(identity.db, sid),
    );
    // No scope is about the account.
    if (caller.session.scope_list !== null) throw insufficientScope(undefined, 'Bearer');
    return caller;
  },
  refresh: async (identity, token, log) => {
    const { db, now } = identity;
    const { family, serial } = partsOf(token);
    const tokenHash = secretHash(family);
    const at = new Date(now());
    const found = await findSessionOfToken(db, tokenHash, at);
    const reason = found && reuseReason(found, serial, now());
    if (found && reason) {
      await endReusedToken(identity, { tokenHash, token: found, reason }, log);
      throw tokenInvalid();
    }
    const caller = await findActiveCaller(identity, found);
    await recordActivity(db, caller.session.sid, { at, since: new Date(now() - ACTIVITY_INTERVAL) });
    return caller;
  },
};

/** @throws TOKEN_INVALID when the session has ended or its account is disabled */
export async function findActiveCaller(
  { db, now }: SessionContext,
  session: Session | undefined,
): Promise<Caller> {
  if (!session || session.revoked_at !== null || session.expires_at.getTime() <= now()) throw tokenInvalid();
  const user = await findUser(db, session.user_id);
  if (!user || user.disabled_at !== null) throw tokenInvalid();
  return { user, session };
}

/** Why a token of an unexpired family is invalid; undefined for a valid one. */
export function reuseReason(
  token: SessionOfToken,
  serial: string,
  now: number,
): 'signed_out' | 'replaced' | undefined {
  const isInGrace = (at: Date | null): boolean => at !== null && at.getTime() + REPLACED_TOKEN_GRACE > now;
  if (token.revoked_at !== null) return 'signed_out';
  if (token.replaced_at !== null && !isInGrace(token.replaced_at)) return 'replaced';
  if (isLatest(token, serial)) return undefined;
  return isFormer(token, serial) && isInGrace(token.rotated_at) ? undefined : 'replaced';
}

/** Whether this is the rest of the latest token of its family. */
export function isLatest({ serial_hash }: SessionOfToken, serial: string): boolean {
  return isSerialOf(serial, serial_hash);
}

function isFormer({ former_serial_hash, rotated_at }: SessionOfToken, serial: string): boolean {
  return rotated_at !== null && isSerialOf(serial, former_serial_hash);
}

/** The first token of a family has no serial. */
function isSerialOf(serial: string, hash: Buffer | null): boolean {
  return hash === null ? serial === '' : hash.equals(secretHash(serial));
}

/**
 * An invalidated refresh token was used again, so it was probably stolen. It is unknown whether the attacker or the user was
 * first, so the session ends for both (RFC 9700 section 4.14.2). Each token is logged once.
 */
export async function endReusedToken(
  identity: SessionContext,
  { tokenHash, token, reason }: { tokenHash: Buffer; token: SessionOfToken; reason: string },
  log: FastifyBaseLogger,
): Promise<void> {
  const at = new Date(identity.now());
  const { user_id, sid } = token;
  if (await recordTokenMisuse(identity.db, tokenHash, at)) {
    log.warn({ event: 'refresh_token_reuse', reason, user_id, sid }, 'security event');
  }
  if (await revokeSession(identity.db, sid, at))
    await sendBackchannelLogout(identity, { userId: user_id, sids: [sid] }, log);
}
