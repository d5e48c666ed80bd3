import type { Session } from '../session/session.ts';
import { localExpiry } from '../session/token-times.ts';

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
