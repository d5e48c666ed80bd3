import type { FastifyRequest } from 'fastify';
import { appError } from '../../http/errors.ts';
import { countGuess, forgiveGuesses, type Guess } from '../attempts/guesses.ts';
import type { IdentityContext } from '../context.ts';
import type { Account } from '../schema.ts';

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
