import type { passwordRoutes } from '../../../shared/routes/password.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { refuseWeak } from '../accounts/password-strength.ts';
import type { IdentityContext } from '../context.ts';
import { lockAccount } from '../members/store.ts';
import { LISTED, toSession } from '../own-sessions/own-sessions.ts';
import { readSessionsOf } from '../own-sessions/store.ts';
import { secretHash } from '../secret.ts';
import { sendBackchannelLogout } from '../sessions/backchannel-logout.ts';
import { revokeSessionsOf } from '../sessions/store.ts';
import { leftSecondFactor } from './left-second-factor.ts';
import { endLockOut, setPassword } from './set-password.ts';
import { findAccountOfLink, takeLink } from './store.ts';

/**
 * Sets a new password by a link, which ends all sessions of the account, and tells which those were. The second factor
 * stays, and is told of: the link proves the mailbox alone. A weak password leaves the link good.
 * @throws PASSWORD_LINK_INVALID, ACCOUNT_DISABLED, PASSWORD_ELSEWHERE, PASSWORD_TOO_WEAK at /password,
 *   SERVICE_UNAVAILABLE
 */
export function finishReset(identity: IdentityContext): Handler<typeof passwordRoutes.finishPasswordReset> {
  return async ({ body, request }) => {
    const tokenHash = secretHash(body.token);
    const found = await findAccountOfLink(identity.db, tokenHash, new Date(identity.now()));
    if (!found) throw appError('PASSWORD_LINK_INVALID');
    await refuseWeak(identity.passwordStrength, body.password, found);
    const passwordHash = await identity.passwords.hash(body.password);
    const { account, ended } = await identity.db.transaction().execute(async (db) => {
      const at = new Date(identity.now());
      const owner = await lockAccount(db, found.user_id);
      if (!owner || !(await takeLink(db, tokenHash, at))) throw appError('PASSWORD_LINK_INVALID');
      if (owner.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
      if (owner.password_hash === null) throw appError('PASSWORD_ELSEWHERE');
      const sessions = await readSessionsOf(db, owner.user_id, { at, limit: LISTED });
      await setPassword(db, owner, { passwordHash, at });
      await revokeSessionsOf(db, owner.user_id, at);
      return { account: owner, ended: sessions };
    });
    await endLockOut(identity, account, request);
    request.log.info({ user_id: account.user_id }, 'a password was set by a link');
    await sendBackchannelLogout(identity, { userId: account.user_id }, request.log);
    return {
      ended_sessions: ended.map((session) => toSession(session, identity.methods)),
      second_factor: await leftSecondFactor(identity, account),
    };
  };
}
