import type { FastifyRequest } from 'fastify';
import type { JWTVerifyGetKey } from 'jose';
import type { UserInfo } from '../../../shared/entities/user.ts';
import { appError, isAppError } from '../../http/errors.ts';
import type { Session } from '../session/session.ts';
import { isObject } from '../upstream.ts';
import type { Transaction } from './cookies.ts';
import type { LoginParams } from './login-params.ts';

/** The request to the callback. */
export type Callback = {
  code: string;
  app: string | undefined;
  /** The complete callback URL. */
  url: URL;
  /** Undefined for an unsolicited code. */
  transaction: Transaction | undefined;
};

/** A new session, and the device token of the browser. */
export type SignedIn = { session: Session; deviceToken?: string | undefined };

/** Result of a refresh; `refused` ends the session. */
export type Renewal = { kind: 'renewed'; changes: Tokens & Partial<Session> } | { kind: 'refused' };

/** Result of a validation; `stale`: only the access token was rejected. */
type Validation = { kind: 'valid'; user: UserInfo } | { kind: 'refused' } | { kind: 'stale' };

/** Expected values of a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.6). */
type LogoutTokenRules = { issuer: string; audience: string; keys: JWTVerifyGetKey };

/** A sign-in provider. All calls throw AppError UPSTREAM_* if there is no valid response. */
export type Provider = {
  /** Secrets of a sign-in, stored in its encrypted transaction. */
  secrets(): Record<string, string>;
  /** URL of the login page, or of its sign-up form. */
  loginUrl(transaction: Transaction, params: LoginParams): Promise<string>;
  /** Exchanges a code for a session. @throws AppError CODE_INVALID too */
  redeem(callback: Callback, headers: Record<string, string>): Promise<SignedIn>;
  renew(session: Session): Promise<Renewal>;
  validate(session: Session): Promise<Validation>;
  /** The current user info. @throws AppError TOKEN_INVALID too */
  userInfo(session: Session): Promise<UserInfo>;
  /** Revokes the tokens; returns the provider's logout URL, if the browser must open it. */
  signOut(session: Session): Promise<string | null>;
  logoutTokenRules(): Promise<LogoutTokenRules>;
};

type Tokens = Pick<Session, 'access_token' | 'refresh_token' | 'access_expires' | 'refresh_expires'>;

/**
 * The tokens of a token response. Expiry times are in milliseconds since 1970 by the gateway's clock, null if unknown;
 * the clock difference is taken from `date`, the Date header of the response (R 9.19). `former`: a
 * refresh may keep the refresh token. Undefined if a token is missing.
 */
export function tokensFromResponse(
  { access_token, refresh_token, expires_in, refresh_expires_in }: Readonly<Record<string, unknown>>,
  { date, now }: { date: string | undefined; now: number },
  former?: Pick<Session, 'refresh_token' | 'refresh_expires'>,
): Tokens | undefined {
  const refresh = isToken(refresh_token) ? refresh_token : former?.refresh_token;
  if (!isToken(access_token) || refresh === undefined) return undefined;
  const ahead = (Date.parse(date ?? '') || now) - now;
  function expiryOf(token: string, seconds: unknown): number | null {
    if (typeof seconds === 'number' && seconds > 0) return now + seconds * 1000;
    const { exp } = tokenClaims(token);
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 - ahead : null;
  }
  const isSame = refresh === former?.refresh_token;
  return {
    access_token,
    refresh_token: refresh,
    access_expires: expiryOf(access_token, expires_in),
    refresh_expires: expiryOf(refresh, refresh_expires_in) ?? (isSame ? former.refresh_expires : null),
  };
}

/** Whether the value can be sent as a bearer token (RFC 6750 section 2.1). */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.~+/=-]+$/.test(value);
}

/**
 * The unverified payload of a JWT (RFC 7519): for times and identifiers, never for authorization. An opaque token, which
 * does not begin with a JOSE header, has none.
 * @throws AppError UPSTREAM_TOKEN_UNREADABLE for a JWT whose payload cannot be decoded (R 8.19)
 */
export function tokenClaims(token: string): Record<string, unknown> {
  const [header = '', payload = ''] = token.split('.');
  if (!decodedPart(header)) return {};
  const claims = decodedPart(payload);
  if (!claims) throw appError('UPSTREAM_TOKEN_UNREADABLE');
  return claims;
}

/** The JSON object in a part of a JWT; undefined when it has none. */
function decodedPart(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Names of fields with secrets. */
const SECRET_NAME = /token|secret|password|authorization|cookie|code_verifier/i;
/** Below the envelope a `code` is an authorization code. */
const CODE_NAME = /^(?:auth(?:orization)?_?|login_?)?code$/i;
/** Codes of an envelope: a number or an upper-case word. */
const ENVELOPE_CODE = /^(?:\d{1,6}|[A-Z][A-Z_]{2,63})$/;
/** JSON Web Tokens are recognized anywhere in a text (RFC 7519 section 3). */
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/;
const DEPTH = 8;

/** A body without tokens, authorization codes, and strings that contain one of `secrets`. */
export function withoutTokens(
  body: Record<string, unknown>,
  secrets: readonly string[] = [],
): Record<string, unknown> {
  const isSecret = (text: string): boolean =>
    JWT.test(text) || secrets.some((secret) => text.includes(secret));

  const isEnvelopeCode = (value: unknown): boolean =>
    typeof value === 'number' || (typeof value === 'string' && ENVELOPE_CODE.test(value));
  function isHidden(name: string, value: unknown, depth: number): boolean {
    if (SECRET_NAME.test(name) || isSecret(name)) return true;
    return CODE_NAME.test(name) && !(depth === 0 && isEnvelopeCode(value));
  }
  function clean(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return isSecret(value) ? undefined : value;
    if (depth > DEPTH) return undefined;
    if (Array.isArray(value)) {
      return value.map((item) => clean(item, depth + 1)).filter((item) => item !== undefined);
    }
    return isObject(value) ? cleanObject(value, depth) : value;
  }
  function cleanObject(value: Record<string, unknown>, depth: number): Record<string, unknown> {
    const entries = Object.entries(value)
      .filter(([name, inner]) => !isHidden(name, inner, depth))
      .map(([name, inner]) => [name, clean(inner, depth + 1)] as const);
    return Object.fromEntries(entries.filter(([, cleaned]) => cleaned !== undefined));
  }
  return cleanObject(body, 0);
}

/**
 * Makes a call with the token of the authenticated user. If the token is rejected (TOKEN_INVALID), it is refreshed and
 * the call repeated once (R 9.18).
 * @throws AppError UNAUTHENTICATED, SESSION_ENDED, and the errors of the call
 */
export async function withUserToken<T>(
  request: FastifyRequest,
  call: (session: Session) => Promise<T>,
): Promise<T> {
  if (!request.session) throw appError('UNAUTHENTICATED');
  try {
    return await call(request.session);
  } catch (error) {
    if (!isRefusedToken(error)) throw error;
  }
  const renewed = await request.renewSession();
  try {
    return await call(renewed);
  } catch (error) {
    throw isRefusedToken(error) ? appError('UNAUTHENTICATED') : error;
  }
}

function isRefusedToken(error: unknown): boolean {
  return isAppError(error) && error.code === 'TOKEN_INVALID';
}
