import type { FastifyRequest } from 'fastify';
import { appError } from '../../http/errors.ts';
import { setPasswordHash } from '../accounts/store.ts';
import { clearGuesses, countGuess, forgiveGuesses, type Guess } from '../attempts/guesses.ts';
import type { IdentityContext } from '../context.ts';
import type { Account, IdentityDb } from '../schema.ts';
import { deleteLinksOf } from './store.ts';

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
