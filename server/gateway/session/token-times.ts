/** When a token ends, as its payload says: `exp` of a JWT (RFC 7519), in seconds; unverified, for timing only. */
export function tokenExpiry(token: string): number | undefined {
  const payload = token.split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    const exp = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined;
    return typeof exp === 'number' && Number.isFinite(exp) ? exp : undefined;
  } catch {
    return undefined;
  }
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
