import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RESET_PATH } from '../../../shared/constants.ts';
import { passwordRoutes } from '../../../shared/routes/password.ts';
import { appError } from '../../http/errors.ts';
import { type Handler, implement } from '../../http/implement.ts';
import { PASSWORD_MIN, refuseWeak } from '../accounts/passwords.ts';
import { setPasswordHash } from '../accounts/store.ts';
import { clearGuesses, countGuess, forgiveGuesses, type Guess } from '../attempts/guesses.ts';
import type { IdentityContext } from '../context.ts';
import { lockAccount } from '../members/store.ts';
import type { Account, IdentityDb } from '../schema.ts';
import { newSecret, secretHash } from '../secret.ts';
import { sendBackchannelLogout } from '../sessions/backchannel-logout.ts';
import { callerOf, userGuard } from '../sessions/caller.ts';
import { revokeOtherSessions } from '../sessions/store.ts';
import { deleteLinksOf, insertLink } from './store.ts';

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

/** Gives an account a new password. What was open by the old one is void: links, and codes that no session came of yet. */
export async function setPassword(
  db: IdentityDb,
  { user_id }: Account,
  { passwordHash, at }: { passwordHash: string; at: Date },
): Promise<void> {
  await setPasswordHash(db, user_id, { passwordHash, at });
  await deleteLinksOf(db, user_id);
}

/** Ends the lock-out that wrong passwords have brought to who calls, under both names of the account. */
export async function endLockOut(
  identity: IdentityContext,
  owner: Account,
  request: Guess['request'],
): Promise<void> {
  for (const account of [owner.email_key, owner.user_name_key]) {
    if (account !== null) await clearGuesses(identity, { secret: 'sign-in', account, request });
  }
}

/**
 * Has who is signed in prove their password again. A wrong one counts like one at sign-in. It is no 401: the session is
 * good. `pointer`: where in the body it was typed.
 * @throws PASSWORD_ELSEWHERE, TOO_MANY_REQUESTS, PASSWORD_WRONG at `pointer`
 */
export async function confirmPassword(
  identity: IdentityContext,
  owner: Account,
  { typed, pointer, request }: { typed: string; pointer: string; request: FastifyRequest },
): Promise<void> {
  const { email_key, user_name_key, password_hash } = owner;
  if (password_hash === null) throw appError('PASSWORD_ELSEWHERE');
  const guess: Guess = { secret: 'sign-in', account: email_key ?? user_name_key, owner, request };
  await countGuess(identity, guess);
  if (!(await identity.passwords.verify(password_hash, typed))) {
    throw appError('PASSWORD_WRONG', { details: [{ pointer, message: 'is wrong' }] });
  }
  await forgiveGuesses(identity, guess);
}

/**
 * Makes the address by which a user sets a new password, once. The token stands in the fragment, which browsers send
 * to nobody, and only its hash is stored. `lifetime` in milliseconds.
 */
export async function makeLink(
  db: IdentityDb,
  { now, random, publicUrl }: Pick<IdentityContext, 'now' | 'random' | 'publicUrl'>,
  { userId, lifetime }: { userId: number; lifetime: number },
): Promise<{ link: string; expires_at: Date }> {
  const token = newSecret(random);
  const expires_at = new Date(now() + lifetime);
  await insertLink(db, { token_hash: secretHash(token), user_id: userId, expires_at });
  return { link: `${publicUrl}${RESET_PATH}#${token}`, expires_at };
}
