import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { BACKCHANNEL_LOGOUT_PATH, CLOCK_TOLERANCE, LOGOUT_EVENT } from '../../../shared/user-service.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { validIdentifier } from './user-service.ts';

const FORM = 'application/x-www-form-urlencoded';
const BODY_BYTES = 16 * 1024;
/** Media types in the header: the recommended one, and that of ordinary tokens, which many providers send (section 2.4). */
const TYPES = ['logout+jwt', 'jwt'];
/** Asymmetric signatures only: a shared secret does not prove who signed the token. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

const checkClaims = Compile(
  Type.Object({
    iat: Type.Number(),
    jti: Type.String({ minLength: 1, maxLength: 255 }),
    events: Type.Object({ [LOGOUT_EVENT]: Type.Object({}) }),
    iss: Type.Optional(Type.Unknown()),
    sid: Type.Optional(Type.Unknown()),
    sub: Type.Optional(Type.Unknown()),
  }),
);

/**
 * OpenID Connect Back-Channel Logout 1.0. The provider's server calls, so the signature of the token replaces the CSRF
 * check. 200 if the sessions were ended, 400 for anything else (section 2.8).
 */
export async function backchannelLogout(scope: FastifyInstance): Promise<void> {
  const { gateway, sessions, shared } = scope;
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: BODY_BYTES }, (_request, text, done) =>
    done(null, new URLSearchParams(String(text))),
  );
  scope.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(null);
  });
  scope.post(BACKCHANNEL_LOGOUT_PATH, { config: { fromServers: true } }, async ({ body, log }, reply) => {
    const tokens = body instanceof URLSearchParams ? body.getAll('logout_token') : [];
    const [token] = tokens;
    if (token === undefined || tokens.length > 1) throw appError('LOGOUT_TOKEN_INVALID');
    const { sid, sub } = await verifyLogoutToken(scope, token).catch((error: unknown) => {
      // Errors of the library contain the claims, which must not be logged.
      throw appError('LOGOUT_TOKEN_INVALID', { cause: isAppError(error) ? error : new Error(String(error)) });
    });
    // A token with both identifiers ends only that session (section 2.4). Older sessions expire within the lifetime.
    const now = gateway.now();
    await shared.state.revokeAll(sid === null ? `sub:${sub}` : `sid:${sid}`, now, now + sessions.limits.max);
    const by = sid === null ? 'sub' : 'sid';
    log.info({ event: 'backchannel_logout', by }, 'sessions ended by the sign-in service');
    return reply.header('cache-control', 'no-store').send('');
  });
}

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.6). Returns the provider's session id, or
 * the user whose sessions all end.
 * @throws Error for an invalid or replayed token, or if the provider's keys cannot be loaded
 */
async function verifyLogoutToken(
  { gateway, provider, shared }: FastifyInstance,
  token: string,
): Promise<{ sid: string | null; sub: string | null }> {
  const { issuer, audience, keys } = await provider.logoutTokenRules();
  const { jwtVerify } = await import('jose');
  const now = gateway.now();
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE / 1000,
    currentDate: new Date(now),
  });
  const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '');
  if (type !== undefined && !TYPES.includes(type)) throw new Error('not the type of a logout token');
  // The event and the absent nonce tell it from an ID token.
  if (!checkClaims.Check(payload) || 'nonce' in payload) throw new Error('not the claims of a logout token');
  const { iat, jti, iss } = payload;
  const ids = { sid: validIdentifier(payload.sid), sub: validIdentifier(payload.sub) };
  const isRecent = Math.abs(now - iat * 1000) <= CLOCK_TOLERANCE;
  if (!isRecent || (ids.sid === null && ids.sub === null))
    throw new Error('token too old, or without sid and sub');
  const isFirst = await shared.state.useOnce(`logout ${iss} ${jti}`, iat * 1000 + 2 * CLOCK_TOLERANCE);
  if (!isFirst) throw new Error('token replayed');
  return ids;
}
