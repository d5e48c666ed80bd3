import type { FastifyRequest } from 'fastify';
import type { Proof, TypedProof } from '../../../shared/entities/sign-in.ts';
import { appError } from '../../http/errors.ts';
import type { IdentityContext } from '../context.ts';
import { RECENT_SIGN_IN } from '../lifetimes.ts';
import { confirmPassword } from '../password/password.ts';
import { checkCode } from '../second-factor/codes.ts';
import { findSecondFactor } from '../second-factor/store.ts';
import type { Caller } from '../sessions/caller.ts';

/**
 * How the caller has to prove again who they are: a code where they have a second factor, else the password where they
 * have one here, else a sign-in of the last five minutes.
 */
export async function proofWanted(
  { db, now }: Pick<IdentityContext, 'db' | 'now'>,
  { user, session }: Caller,
): Promise<Proof> {
  if (await findSecondFactor(db, user.user_id)) return 'code';
  if (user.password_hash !== null) return 'password';
  return isSignInRecent(now, session) ? 'none' : 'sign_in';
}

/** Whether the user of a session has proved who they are within the last five minutes. */
export function isSignInRecent(now: () => number, { authenticated_at }: Caller['session']): boolean {
  return authenticated_at !== null && now() - authenticated_at.getTime() <= RECENT_SIGN_IN;
}

/**
 * Has the caller prove again who they are, right before something that a stolen session must not do. What is wrong counts
 * like a wrong try at sign-in.
 * @throws REAUTHENTICATION_REQUIRED when the proof is missing or the sign-in too old, SECOND_FACTOR_WRONG, PASSWORD_WRONG
 *   at /password, TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE
 */
export async function reauthenticate(
  identity: IdentityContext,
  caller: Caller,
  { typed, request }: { typed: TypedProof; request: FastifyRequest },
): Promise<void> {
  const { user } = caller;
  const wanted = await proofWanted(identity, caller);
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
