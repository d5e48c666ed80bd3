import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { appError } from '../../http/errors.ts';
import { countGuess, forgiveGuesses, type Guess } from '../attempts/guesses.ts';
import type { IdentityContext } from '../context.ts';
import type { Account } from '../schema.ts';
import { recoveryHash } from './recovery-codes.ts';
import { findSecondFactor, useRecoveryCode, useStep } from './store.ts';
import { decryptSecret, stepOf } from './totp.ts';

const SIX_DIGITS = /^\d{6}$/;

/** Six digits as they were typed or pasted: "123 456". Undefined for anything else. */
export function sixDigits(typed: string): string | undefined {
  const digits = typed.normalize('NFKC').replace(/[\s-]/g, '');
  return SIX_DIGITS.test(digits) ? digits : undefined;
}

/**
 * Takes a code of a user's authenticator app, or one of their recovery codes; each counts once. Tries are counted over
 * all their sign-ins, so that a new one gives no new tries.
 * @throws SECOND_FACTOR_WRONG when it is neither or was used before, TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE
 */
export async function checkCode(
  identity: IdentityContext,
  { owner, typed, request }: { owner: Account; typed: string; request: FastifyRequest },
): Promise<void> {
  const { user_id: userId } = owner;
  const guess: Guess = { secret: 'second factor', account: String(userId), owner, request };
  await countGuess(identity, guess);
  if (!(await useCode(identity, userId, typed, request.log))) {
    request.log.warn({ user_id: userId }, 'a second factor was wrong');
    throw appError('SECOND_FACTOR_WRONG');
  }
  await forgiveGuesses(identity, guess);
}

async function useCode(
  identity: IdentityContext,
  userId: number,
  typed: string,
  log: FastifyBaseLogger,
): Promise<boolean> {
  const { db, now } = identity;
  const digits = sixDigits(typed);
  if (digits !== undefined) {
    const factor = await findSecondFactor(db, userId);
    const step = factor && stepOf(decryptSecret(identity, userId, factor.sealed_secret), digits, now());
    return step !== undefined && useStep(db, userId, step);
  }
  const codeHash = recoveryHash(typed);
  if (!codeHash || !(await useRecoveryCode(db, { userId, codeHash, at: new Date(now()) }))) return false;
  log.info({ user_id: userId }, 'a recovery code was used');
  return true;
}
