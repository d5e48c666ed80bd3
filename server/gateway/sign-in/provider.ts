import type { JWTVerifyGetKey } from 'jose';
import type { UserInfo } from '../../../shared/entities/user.ts';
import type { Session } from '../session/session.ts';
import { isObject } from '../upstream.ts';
import type { Transaction } from './cookies.ts';
import type { LoginParams } from './login-params.ts';

/** What a browser has brought back from the login page. */
export type Returned = {
  code: string;
  app: string | undefined;
  /** The whole address it came back to. */
  url: URL;
  /** Undefined for a code that nobody here has asked for. */
  transaction: Transaction | undefined;
};

/** A session that a sign-in begins, and by what the device is known there from now on. */
export type Redeemed = { session: Session; deviceToken?: string | undefined };

/** What asking for new tokens came to; `refused` means that the session is over. */
export type Renewal = { kind: 'renewed'; changes: Tokens & Partial<Session> } | { kind: 'refused' };

/** What asking whether a session still holds came to; `stale`: only its access token is refused. */
type Validation = { kind: 'valid'; user: UserInfo } | { kind: 'refused' } | { kind: 'stale' };

/** By what a logout token of the provider is known (OpenID Connect Back-Channel Logout 1.0 section 2.6). */
type LogoutTokenRules = { issuer: string; audience: string; keys: JWTVerifyGetKey };

/**
 * Who signs people in. Sessions, their refresh and the proxy know nothing else of it. Every call throws AppError
 * UPSTREAM_* when it got no usable answer.
 */
export type Provider = {
  /** Secrets that a sign-in keeps in its encrypted transaction until the browser is back. */
  secrets(): Record<string, string>;
  /** Where the browser goes to sign in, or to sign up. */
  loginUrl(transaction: Transaction, params: LoginParams): Promise<string>;
  /** A new session for a code. @throws AppError CODE_INVALID too */
  redeem(returned: Returned, headers: Record<string, string>): Promise<Redeemed>;
  renew(session: Session): Promise<Renewal>;
  validate(session: Session): Promise<Validation>;
  /** The user info as it is now. @throws AppError TOKEN_INVALID too */
  userInfo(session: Session): Promise<UserInfo>;
  /** Ends the session's tokens; answers where the browser must go to be signed out there too, if anywhere. */
  signOut(session: Session): Promise<string | null>;
  logoutTokenRules(): Promise<LogoutTokenRules>;
};

type Tokens = Pick<Session, 'access_token' | 'refresh_token' | 'access_expires' | 'refresh_expires'>;

/**
 * The tokens of a sign-in or refresh answer with their times by the gateway's clock, in milliseconds since 1970, null when
 * nobody says; a refresh may leave the refresh token as it was. `date` is the answer's Date header: the difference of the
 * clocks is taken out (specification section 7). Undefined when a token is missing.
 */
export function tokensOf(
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

/** A header value can carry it, so it can be sent as a bearer (RFC 6750 section 2.1). */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.~+/=-]+$/.test(value);
}

/** The payload of a JWT (RFC 7519), unverified: for times and names, never to decide what somebody may do. */
export function tokenClaims(token: string): Record<string, unknown> {
  const payload = token.split('.')[1];
  if (payload === undefined) return {};
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return isObject(claims) ? claims : {};
  } catch {
    return {};
  }
}

/** Fields that hold what no browser may have, by their names. */
const SECRET_NAME = /token|secret|password|authorization|cookie|code_verifier/i;
/** A `code` deeper than the envelope's own is one to sign in with. */
const CODE_NAME = /^(?:auth(?:orization)?_?|login_?)?code$/i;
/** Codes of an envelope: a number, or a word in capitals. */
const ENVELOPE_CODE = /^(?:\d{1,6}|[A-Z][A-Z_]{2,63})$/;
/** JSON Web Tokens give themselves away wherever they stand (RFC 7519 section 3). */
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/;
const DEPTH = 8;

/** A body that may leave the gateway: without tokens, codes, and strings in which one of `secrets` stands. */
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
