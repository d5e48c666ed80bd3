import { tokenClaims } from './token-claims.ts';

/** When a token ends, as its payload says: `exp` of a JWT (RFC 7519), in seconds; unverified, for timing only. */
export function tokenExpiry(token: string): number | undefined {
  const { exp } = tokenClaims(token);
  return typeof exp === 'number' && Number.isFinite(exp) ? exp : undefined;
}

/**
 * When a token ends by the gateway's clock, in milliseconds since 1970; null when nobody says. `date` is the Date
 * header of the answer that brought it: the difference of the clocks is taken out (specification section 7).
 */
export function localExpiry({
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
