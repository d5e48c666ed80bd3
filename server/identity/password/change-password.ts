import type { passwordRoutes } from '../../../shared/routes/password.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { refuseWeak } from '../accounts/password-judge.ts';
import { countAttempt, forgiveAttempt, type Subject } from '../attempts/attempt-limit.ts';
import { networkAddress } from '../attempts/network-address.ts';
import type { IdentityContext } from '../context.ts';
import { lockAccount } from '../members/store.ts';
import type { Account } from '../schema.ts';
import { revokeOtherSessions } from '../sessions/store.ts';
import { tellGatewayOf } from '../sessions/tell-gateway.ts';
import { userOf } from '../sessions/user-guard.ts';
import { endLockOut, setPassword } from './set-password.ts';

/**
 * Changes the password of the person who calls and ends all his other sessions. A wrong current password counts like
 * one at sign-in. It is no 401: the session is good.
 * @throws PASSWORD_ELSEWHERE, TOO_MANY_REQUESTS, PASSWORD_WRONG at /current_password, PASSWORD_TOO_WEAK at /password,
 *   CONFLICT when the password was changed in the meantime, SERVICE_UNAVAILABLE
 */
export function changePassword(identity: IdentityContext): Handler<typeof passwordRoutes.changePassword> {
  return async ({ body, request }) => {
    const { person, session } = userOf(request);
    await prove(identity, person, { typed: body.current_password, ip: request.ip });
    await refuseWeak(identity.judge, body.password, person);
    const passwordHash = await identity.passwords.hash(body.password);
    const sids = await identity.db.transaction().execute(async (db) => {
      const at = new Date(identity.now());
      const owner = await lockAccount(db, person.user_id);
      if (owner?.password_hash !== person.password_hash) throw appError('CONFLICT');
      await setPassword(db, owner, { passwordHash, at });
      return revokeOtherSessions(db, owner.user_id, session.sid, at);
    });
    request.log.info({ user_id: person.user_id, sid: session.sid }, 'a password was changed');
    await tellGatewayOf(identity, { userId: person.user_id, sids }, request.log);
    return {};
  };
}

async function prove(
  identity: IdentityContext,
  account: Account,
  { typed, ip }: { typed: string; ip: string },
): Promise<void> {
  const { email_key, user_name_key, password_hash } = account;
  if (password_hash === null) throw appError('PASSWORD_ELSEWHERE');
  const address: Subject = { limit: 'sign-in address', of: networkAddress(ip) };
  await countAttempt(identity, address);
  await countAttempt(identity, { limit: 'sign-in account', of: email_key ?? user_name_key });
  if (!(await identity.passwords.verify(password_hash, typed))) {
    throw appError('PASSWORD_WRONG', { details: [{ pointer: '/current_password', message: 'is wrong' }] });
  }
  await endLockOut(identity, account);
  await forgiveAttempt(identity, address);
}
