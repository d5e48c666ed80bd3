import type { Session } from '../session/session.ts';
import { isObject } from '../upstream/ask.ts';

export type Tokens = Pick<Session, 'access_token' | 'refresh_token' | 'access_expires' | 'refresh_expires'>;

/** Fields of an answer that brings tokens; everything may be missing. */
type Answered = {
  access_token?: unknown;
  refresh_token?: unknown;
  expires_in?: unknown;
  refresh_expires_in?: unknown;
};

/**
 * The tokens of a sign-in or refresh answer with their times; a refresh may leave the refresh token as it was. `date` is
 * the answer's Date header. Undefined when one is missing.
 */
export function tokensOf(
  { access_token, refresh_token, expires_in, refresh_expires_in }: Answered,
  times: { date: string | undefined; now: number },
  former?: Pick<Session, 'refresh_token' | 'refresh_expires'>,
): Tokens | undefined {
  const refresh = isToken(refresh_token) ? refresh_token : former?.refresh_token;
  if (!isToken(access_token) || refresh === undefined) return undefined;
  const refreshExpires = localExpiry({ token: refresh, lifetime: refresh_expires_in, ...times });
  const isSame = refresh === former?.refresh_token;
  return {
    access_token,
    refresh_token: refresh,
    access_expires: localExpiry({ token: access_token, lifetime: expires_in, ...times }),
    refresh_expires: refreshExpires ?? (isSame ? former.refresh_expires : null),
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

/**
 * When a token ends by the gateway's clock, in milliseconds since 1970; null when nobody says. `date` is the Date
 * header of the answer that brought it: the difference of the clocks is taken out (specification section 7).
 */
function localExpiry({
  token,
  lifetime,
  date,
  now,
}: {
  token: string;
  /** `expires_in` of the answer, in seconds. */
  lifetime: unknown;
  date: string | undefined;
  now: number;
}): number | null {
  if (typeof lifetime === 'number' && lifetime > 0) return now + lifetime * 1000;
  const { exp } = tokenClaims(token);
  if (typeof exp !== 'number' || !Number.isFinite(exp)) return null;
  const theirs = Date.parse(date ?? '');
  const ahead = Number.isNaN(theirs) ? 0 : theirs - now;
  return exp * 1000 - ahead;
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

  function cleanObject(value: Record<string, unknown>, depth: number): Record<string, unknown> {
    const kept = Object.entries(value).flatMap(([name, inner]) => {
      if (SECRET_NAME.test(name) || isSecret(name) || (CODE_NAME.test(name) && !isEnvelopeCode(inner, depth)))
        return [];
      const cleaned = clean(inner, depth + 1);
      return cleaned === undefined ? [] : [[name, cleaned] as const];
    });
    return Object.fromEntries(kept);
  }
  function clean(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return isSecret(value) ? undefined : value;
    if (depth > DEPTH) return undefined;
    if (Array.isArray(value)) {
      return value.map((item) => clean(item, depth + 1)).filter((item) => item !== undefined);
    }
    return isObject(value) ? cleanObject(value, depth) : value;
  }
  return cleanObject(body, 0);
}

function isEnvelopeCode(value: unknown, depth: number): boolean {
  return (
    depth === 0 && (typeof value === 'number' || (typeof value === 'string' && ENVELOPE_CODE.test(value)))
  );
}
