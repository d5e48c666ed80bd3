import { errors, jwtVerify } from 'jose';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { LOGOUT_EVENT } from '../../../shared/user-service.ts';
import { isAppError } from '../../http/errors.ts';
import type { SharedState } from '../session/shared-state.ts';
import type { LogoutTokenRules } from './provider.ts';
import { shortName } from './sign-in-answer.ts';

/** How far the clocks may be apart, and how old a token may be. Milliseconds. */
const SKEW = 2 * 60 * 1000;
/** Asymmetric signatures alone: a token signed with a secret that others know says nothing. */
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

/** Whose sessions end: one of the provider's sessions, or all of a user. */
export type LogoutOrder = { sid: string | null; sub: string | null };

/**
 * What a logout token orders, after every check of OpenID Connect Back-Channel Logout 1.0 section 2.6, once for each
 * token. Undefined for a token that is not to be followed.
 * @throws what keeps the provider's keys from being read
 */
export async function logoutOrder(
  token: string,
  rules: LogoutTokenRules,
  { state, now }: { state: SharedState; now: number },
): Promise<LogoutOrder | undefined> {
  const payload = await verified(token, rules, now);
  if (!payload || !checkClaims.Check(payload) || 'nonce' in payload) return undefined;
  const { iat, jti, iss } = payload;
  const order = { sid: shortName(payload.sid), sub: shortName(payload.sub) };
  const isRecent = Math.abs(now - iat * 1000) <= SKEW;
  if (!isRecent || (order.sid === null && order.sub === null)) return undefined;
  const isFirst = await state.useOnce(`logout ${iss} ${jti}`, iat * 1000 + 2 * SKEW);
  return isFirst ? order : undefined;
}

async function verified(token: string, { issuer, audience, keys }: LogoutTokenRules, now: number) {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      typ: 'logout+jwt',
      algorithms: ALGORITHMS,
      requiredClaims: ['iat', 'jti', 'events'],
      clockTolerance: SKEW / 1000,
      currentDate: new Date(now),
    });
    return payload;
  } catch (error) {
    if (!(error instanceof errors.JOSEError) || isAppError(error.cause)) throw error;
    return undefined;
  }
}
