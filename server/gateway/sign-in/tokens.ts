import type { Session } from '../session/session.ts';

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
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}

/** When a token ends, as its payload says: `exp` of a JWT (RFC 7519), in seconds; unverified, for timing only. */
function tokenExpiry(token: string): number | undefined {
  const { exp } = tokenClaims(token);
  return typeof exp === 'number' && Number.isFinite(exp) ? exp : undefined;
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
  const expiry = tokenExpiry(token);
  if (expiry === undefined) return null;
  const theirs = date === undefined ? Number.NaN : Date.parse(date);
  const ahead = Number.isNaN(theirs) ? 0 : theirs - now;
  return expiry * 1000 - ahead;
}
