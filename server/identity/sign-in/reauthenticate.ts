import type { FastifyRequest } from 'fastify';
import type { Proof, TypedProof } from '../../../shared/entities/sign-in.ts';
import { appError } from '../../http/errors.ts';
import { RECENT_SIGN_IN } from '../lifetimes.ts';
import type { Account } from '../schema.ts';
import type { Caller } from '../sessions/caller.ts';
import { checkGuess, type Guess } from './attempts/guesses.ts';
import type { SignInContext } from './context.ts';
import { checkCode } from './second-factor/codes.ts';
import { findSecondFactor } from './second-factor/store.ts';

/**
 * How the caller must authenticate again: with a second-factor code if enabled, else with their password if they have one,
 * else with a sign-in within the last five minutes.
 */
export async function requiredProof(
  { db, now }: Pick<SignInContext, 'db' | 'now'>,
  { user, session }: Caller,
): Promise<Proof> {
  if (await findSecondFactor(db, user.user_id)) return 'code';
  if (user.password_hash !== null) return 'password';
  return isSignInRecent(now, session) ? 'none' : 'sign_in';
}

/** Whether the user of a session has authenticated within the last five minutes. */
export function isSignInRecent(now: () => number, { authenticated_at }: Caller['session']): boolean {
  return authenticated_at !== null && now() - authenticated_at.getTime() <= RECENT_SIGN_IN;
}

/**
 * Requires the caller to authenticate again before an action that a stolen session must not allow. Failures count like
 * failed sign-ins.
 * @throws REAUTHENTICATION_REQUIRED when the proof is missing or the sign-in too old, SECOND_FACTOR_WRONG, PASSWORD_WRONG
 *   at /password, TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE
 */
export async function reauthenticate(
  identity: SignInContext,
  caller: Caller,
  { typed, request }: { typed: TypedProof; request: FastifyRequest },
): Promise<void> {
  const { user } = caller;
  const wanted = await requiredProof(identity, caller);
  if (wanted === 'none') return;
  const { code, password } = typed;
  if (wanted === 'code' && code !== undefined) {
    await checkCode(identity, { owner: user, typed: code, request });
  } else if (wanted === 'password' && password !== undefined) {
    await confirmPassword(identity, user, { typed: password, pointer: '/password', request });
  } else {
    throw appError('REAUTHENTICATION_REQUIRED');
  }
}

/**
 * Checks the password of a signed-in user again. A wrong one counts like a failed sign-in, but is not answered with 401,
 * because the session is valid. `pointer`: place of the password in the body.
 * @throws PASSWORD_ELSEWHERE, TOO_MANY_REQUESTS, PASSWORD_WRONG at `pointer`
 */
export async function confirmPassword(
  identity: SignInContext,
  owner: Account,
  { typed, pointer, request }: { typed: string; pointer: string; request: FastifyRequest },
): Promise<void> {
  const { email_key, user_name_key, password_hash } = owner;
  if (password_hash === null) throw appError('PASSWORD_ELSEWHERE');
  const guess: Guess = { secret: 'sign-in', account: email_key ?? user_name_key, owner, request };
  await checkGuess(identity, guess, async () => {
    if (await identity.passwords.verify(password_hash, typed)) return;
    throw appError('PASSWORD_WRONG', { details: [{ pointer, message: 'is wrong' }] });
  });
}
