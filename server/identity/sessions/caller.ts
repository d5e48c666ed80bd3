import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import { appError } from '../../http/errors.ts';
import type { Guard } from '../../http/implement.ts';
import type { User } from '../accounts/account-fields.ts';
import { findUser } from '../accounts/store.ts';
import type { IdentityContext } from '../context.ts';
import { ACTIVITY_NOTED_EVERY, REPLACED_TOKEN_GRACE } from '../lifetimes.ts';
import { secretHash } from '../secret.ts';
import { sessionIdOf } from './access-token.ts';
import { sendBackchannelLogout } from './backchannel-logout.ts';
import {
  findSession,
  findSessionOfToken,
  noteActivity,
  noteMisuse,
  revokeSession,
  type Session,
  type SessionOfToken,
} from './store.ts';

/** Who a bearer token speaks for. */
export type Caller = { user: User; session: Session };

/** The name of the request's decorator. */
const CALLER = 'caller';

export function decorateCaller(app: FastifyInstance): void {
  app.decorateRequest(CALLER, null);
}

/** Who calls a route that has authenticated them. */
export function callerOf(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>(CALLER);
}

/**
 * Lets in who has a session that holds now: what the token says of it may be 15 minutes old.
 * @throws UNAUTHENTICATED, TOKEN_INVALID from the guard
 */
export function userGuard(identity: IdentityContext): Guard {
  return async (_route, request) => {
    await authenticate(identity, request, 'access');
  };
}

/**
 * Lets super administrators in, by the role that the account has now.
 * @throws UNAUTHENTICATED, TOKEN_INVALID, FORBIDDEN from the guard
 */
export function superAdminGuard(identity: IdentityContext): Guard {
  return async (_route, request) => {
    const { user } = await authenticate(identity, request, 'access');
    if (user.role !== ROLE_SUPER_ADMIN) throw appError('FORBIDDEN');
  };
}

/**
 * Who calls, by their bearer token. An access token counts only while its session does: this service can look, so it does
 * not have to wait for the token to run out.
 * @throws UNAUTHENTICATED when there is none, TOKEN_INVALID
 */
export async function authenticate(
  identity: IdentityContext,
  request: FastifyRequest,
  bearer: 'access' | 'refresh',
): Promise<Caller> {
  const caller = await BEARERS[bearer](identity, bearerToken(request), request.log);
  request.setDecorator<Caller>(CALLER, caller);
  return caller;
}

type FindCaller = (identity: IdentityContext, token: string, log: FastifyBaseLogger) => Promise<Caller>;

const BEARERS: Readonly<Record<'access' | 'refresh', FindCaller>> = {
  access: async (identity, token) => {
    const sid = await sessionIdOf(identity, token);
    return callerIn(identity, sid === undefined ? undefined : await findSession(identity.db, sid));
  },
  refresh: async (identity, token, log) => {
    const { db, now } = identity;
    const tokenHash = secretHash(token);
    const at = new Date(now());
    const found = await findSessionOfToken(db, tokenHash, at);
    const reason = found && whyReused(found, now());
    if (found && reason) {
      await answerReuse(identity, { tokenHash, token: found, reason }, log);
      throw tokenInvalid();
    }
    const caller = await callerIn(identity, found);
    await noteActivity(db, caller.session.sid, { at, since: new Date(now() - ACTIVITY_NOTED_EVERY) });
    return caller;
  },
};

/** @throws TOKEN_INVALID when the session has ended or its account is disabled */
async function callerIn({ db, now }: IdentityContext, session: Session | undefined): Promise<Caller> {
  if (!session || session.revoked_at !== null || session.expires_at.getTime() <= now()) throw tokenInvalid();
  const user = await findUser(db, session.user_id);
  if (!user || user.disabled_at !== null) throw tokenInvalid();
  return { user, session };
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;
const TOKEN_MAX = 8192;

/** The token of an `Authorization: Bearer` header (RFC 6750 section 2.1). */
function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header === undefined) throw appError('UNAUTHENTICATED', { headers: { 'www-authenticate': 'Bearer' } });
  const [, token] = header.length <= TOKEN_MAX ? (BEARER.exec(header) ?? []) : [];
  if (token === undefined) throw tokenInvalid();
  return token;
}

/** The refusal of a bearer token (RFC 6750 section 3.1). */
export function tokenInvalid() {
  return appError('TOKEN_INVALID', { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });
}

/** Why a refresh token is good no more although its time is not over; undefined while it is. */
function whyReused(token: SessionOfToken, now: number): 'signed_out' | 'replaced' | undefined {
  if (token.revoked_at !== null) return 'signed_out';
  const isReplaced = token.replaced_at !== null && token.replaced_at.getTime() + REPLACED_TOKEN_GRACE <= now;
  return isReplaced ? 'replaced' : undefined;
}

/**
 * A refresh token is used that nobody honest has any more. Whether the thief or the user came second cannot be told,
 * so the session ends for both (RFC 9700 section 4.14.2). Each token is logged once, however often it is tried.
 */
async function answerReuse(
  identity: IdentityContext,
  { tokenHash, token, reason }: { tokenHash: Buffer; token: SessionOfToken; reason: string },
  log: FastifyBaseLogger,
): Promise<void> {
  const at = new Date(identity.now());
  const { user_id, sid } = token;
  if (await noteMisuse(identity.db, tokenHash, at)) {
    log.warn({ event: 'refresh_token_reuse', reason, user_id, sid }, 'security event');
  }
  if (await revokeSession(identity.db, sid, at))
    await sendBackchannelLogout(identity, { userId: user_id, sids: [sid] }, log);
}
