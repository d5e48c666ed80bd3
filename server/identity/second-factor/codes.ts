import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { ROLE_USER } from '../../../shared/constants.ts';
import { appError } from '../../http/errors.ts';
import { countGuess, forgiveGuesses, type Guess } from '../attempts/guesses.ts';
import type { IdentityContext, SecondFactorRule } from '../context.ts';
import type { Account, IdentityDb } from '../schema.ts';
import { newReadableSecret, type Random, READABLE, secretHash } from '../secret.ts';
import {
  findSecondFactor,
  insertSecondFactor,
  replaceRecoveryCodes,
  useRecoveryCode,
  useStep,
} from './store.ts';
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

/** Whether a user must have a second factor, by the role they have now. */
export function isRequiredOf(
  { secondFactor }: { secondFactor: SecondFactorRule },
  { role }: Pick<Account, 'role'>,
): boolean {
  return secondFactor === 'administrators' && role !== ROLE_USER;
}

const RECOVERY_CODES = 10;

const LENGTH = 16;
const GROUP = 4;

/** Ten new codes of 80 bits each, in groups of four characters: `abcd-efgh-jkmn-pqrs`. */
export function newRecoveryCodes(random: Random): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => grouped(newReadableSecret(random, LENGTH)));
}

/** What is stored of a code that was typed with or without its groups; undefined for what can be none. */
export function recoveryHash(typed: string): Buffer | undefined {
  const code = typed.normalize('NFKC').toLowerCase().replace(/[\s-]/g, '');
  const isCode = code.length === LENGTH && [...code].every((character) => READABLE.includes(character));
  return isCode ? secretHash(code) : undefined;
}

function grouped(code: string): string {
  return Array.from({ length: LENGTH / GROUP }, (_, index) =>
    code.slice(index * GROUP, (index + 1) * GROUP),
  ).join('-');
}

/**
 * Turns the second factor of a user on, within the caller's transaction.
 * @returns the recovery codes, which are told this once; undefined when it was on already
 */
export async function turnOn(
  db: IdentityDb,
  context: Pick<IdentityContext, 'now' | 'random'>,
  { userId, encryptedSecret, step }: { userId: number; encryptedSecret: string; step: number },
): Promise<string[] | undefined> {
  const at = new Date(context.now());
  if (!(await insertSecondFactor(db, { userId, encryptedSecret, step, at }))) return undefined;
  return renewedCodes(db, context, userId);
}

/** New recovery codes in the place of all earlier ones. */
export async function renewedCodes(
  db: IdentityDb,
  { random }: Pick<IdentityContext, 'random'>,
  userId: number,
): Promise<string[]> {
  const codes = newRecoveryCodes(random);
  await replaceRecoveryCodes(
    db,
    userId,
    codes.flatMap((code) => recoveryHash(code) ?? []),
  );
  return codes;
}
