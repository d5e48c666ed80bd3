import type { FastifyInstance } from 'fastify';
import { passwordRoutes } from '../../../shared/routes/password.ts';
import { appError } from '../../http/errors.ts';
import { type Handler, implement } from '../../http/implement.ts';
import { PASSWORD_MIN } from '../accounts/password-rules.ts';
import { refuseWeak } from '../accounts/password-strength.ts';
import type { IdentityContext } from '../context.ts';
import { lockAccount } from '../members/store.ts';
import { sendBackchannelLogout } from '../sessions/backchannel-logout.ts';
import { callerOf, userGuard } from '../sessions/caller.ts';
import { revokeOtherSessions } from '../sessions/store.ts';
import { confirmPassword, endLockOut, setPassword } from './set-password.ts';

/** A user's own password. */
export function serveOwnPassword(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  implement(app, guard, passwordRoutes.readPasswordState, ({ request }) => ({
    has_password: callerOf(request).user.password_hash !== null,
    password_min: PASSWORD_MIN,
  }));
  implement(app, guard, passwordRoutes.changePassword, changePassword(identity));
}

/**
 * Changes the password of the user who calls and ends all their other sessions.
 * @throws PASSWORD_ELSEWHERE, TOO_MANY_REQUESTS, PASSWORD_WRONG at /current_password, PASSWORD_TOO_WEAK at /password,
 *   CONFLICT when the password was changed in the meantime, SERVICE_UNAVAILABLE
 */
function changePassword(identity: IdentityContext): Handler<typeof passwordRoutes.changePassword> {
  return async ({ body, request }) => {
    const { user, session } = callerOf(request);
    const pointer = '/current_password';
    await confirmPassword(identity, user, { typed: body.current_password, pointer, request });
    await refuseWeak(identity.passwordStrength, body.password, user);
    const passwordHash = await identity.passwords.hash(body.password);
    const sids = await identity.db.transaction().execute(async (db) => {
      const at = new Date(identity.now());
      const owner = await lockAccount(db, user.user_id);
      if (owner?.password_hash !== user.password_hash) throw appError('CONFLICT');
      await setPassword(db, owner, { passwordHash, at });
      return revokeOtherSessions(db, owner.user_id, session.sid, at);
    });
    await endLockOut(identity, user, request);
    request.log.info({ user_id: user.user_id, sid: session.sid }, 'a password was changed');
    await sendBackchannelLogout(identity, { userId: user.user_id, sids }, request.log);
    return {};
  };
}
