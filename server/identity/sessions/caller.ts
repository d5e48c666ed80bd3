import type { FastifyBaseLogger } from 'fastify';
import { appError } from '../../http/errors.ts';
import { findPerson } from '../accounts/store.ts';
import type { Person } from '../accounts/user-info.ts';
import type { IdentityContext } from '../context.ts';
import { secretHash } from '../secret.ts';
import { sessionIdOf } from './access-token.ts';
import { findSession, findSessionOfToken, markTokenUsed, type Session } from './store.ts';

/** Who a bearer token speaks for. */
export type Caller = { person: Person; session: Session };

type FindCaller = (identity: IdentityContext, token: string, log: FastifyBaseLogger) => Promise<Caller>;

/**
 * How each kind of bearer of the user service is recognised. An access token counts only while its session does:
 * this service can look, so it does not have to wait for the token to run out.
 */
export const CALLERS: Readonly<Record<'access' | 'refresh', FindCaller>> = {
  access: async (identity, token, log) => {
    const sid = await sessionIdOf(identity, token);
    return callerOf(identity, sid === undefined ? undefined : await findSession(identity.db, sid), log);
  },
  refresh: async (identity, token, log) => {
    const tokenHash = secretHash(token);
    const at = new Date(identity.now());
    const caller = await callerOf(identity, await findSessionOfToken(identity.db, tokenHash, at), log);
    await markTokenUsed(identity.db, tokenHash, at);
    return caller;
  },
};

/** @throws TOKEN_INVALID when the session has ended or its account is disabled */
async function callerOf(
  { db, now }: IdentityContext,
  session: Session | undefined,
  log: FastifyBaseLogger,
): Promise<Caller> {
  if (!session || session.expires_at.getTime() <= now()) throw tokenInvalid();
  if (session.revoked_at !== null) {
    log.warn({ user_id: session.user_id, sid: session.sid }, 'a token was used after its session had ended');
    throw tokenInvalid();
  }
  const person = await findPerson(db, session.user_id);
  if (!person || person.disabled_at !== null) throw tokenInvalid();
  return { person, session };
}

/** The refusal of a bearer token (RFC 6750 section 3.1). */
export function tokenInvalid() {
  return appError('TOKEN_INVALID', { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });
}
