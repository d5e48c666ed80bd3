import type { FastifyBaseLogger } from 'fastify';
import { appError } from '../../http/errors.ts';
import { findUser } from '../accounts/store.ts';
import type { User } from '../accounts/user-info.ts';
import type { IdentityContext } from '../context.ts';
import { ACTIVITY_NOTED_EVERY } from '../lifetimes.ts';
import { secretHash } from '../secret.ts';
import { sessionIdOf } from './access-token.ts';
import { answerReuse, whyReused } from './reused-token.ts';
import { findSession, findSessionOfToken, noteActivity, type Session } from './store.ts';

/** Who a bearer token speaks for. */
export type Caller = { user: User; session: Session };

type FindCaller = (identity: IdentityContext, token: string, log: FastifyBaseLogger) => Promise<Caller>;

/**
 * How each kind of bearer of the user service is recognised. An access token counts only while its session does:
 * this service can look, so it does not have to wait for the token to run out.
 */
export const CALLERS: Readonly<Record<'access' | 'refresh', FindCaller>> = {
  access: async (identity, token) => {
    const sid = await sessionIdOf(identity, token);
    return callerOf(identity, sid === undefined ? undefined : await findSession(identity.db, sid));
  },
  refresh: async (identity, token, log) => {
    const { db, now } = identity;
    const tokenHash = secretHash(token);
    const at = new Date(now());
    const found = await findSessionOfToken(db, tokenHash, at);
    const reason = found && whyReused(found, now());
    if (found && reason) {
      await answerReuse(identity, { tokenHash, token: found, reason }, log);
      throw tokenInvalid();
    }
    const caller = await callerOf(identity, found);
    await noteActivity(db, caller.session.sid, { at, since: new Date(now() - ACTIVITY_NOTED_EVERY) });
    return caller;
  },
};

/** @throws TOKEN_INVALID when the session has ended or its account is disabled */
async function callerOf({ db, now }: IdentityContext, session: Session | undefined): Promise<Caller> {
  if (!session || session.revoked_at !== null || session.expires_at.getTime() <= now()) throw tokenInvalid();
  const user = await findUser(db, session.user_id);
  if (!user || user.disabled_at !== null) throw tokenInvalid();
  return { user, session };
}

/** The refusal of a bearer token (RFC 6750 section 3.1). */
export function tokenInvalid() {
  return appError('TOKEN_INVALID', { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });
}
