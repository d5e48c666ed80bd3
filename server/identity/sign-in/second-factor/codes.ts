import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import { ROLE_USER } from '../../../../shared/constants.ts';
import { appError } from '../../../http/errors.ts';
import type { Account, IdentityDb } from '../../schema.ts';
import { newReadableSecret, type Random, READABLE, secretHash } from '../../secret.ts';
import { checkGuess, type Guess } from '../attempts/guesses.ts';
import type { SecondFactorRule, SignInContext } from '../context.ts';
import {
  consumeRecoveryCode,
  consumeStep,
  findSecondFactor,
  insertSecondFactor,
  replaceRecoveryCodes,
} from './store.ts';

/** The parameters that every authenticator app supports (RFC 6238): SHA-1, six digits, 30 seconds. */
const KIND = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** RFC 4226 section 4 recommends the length of the hash. */
const SECRET_BYTES = 20;
/** Time steps by which the clock of a phone may be off, in either direction. */
const WINDOW = 1;

/** A new secret in base32. */
export function newTotpSecret(random: Random): string {
  return new Secret({ buffer: new Uint8Array(random(SECRET_BYTES)).buffer }).base32;
}

/** The otpauth address for the QR code. */
export function totpAddress(
  secret: string,
  { issuer, account }: { issuer: string; account: string },
): string {
  return new TOTP({ ...KIND, secret, issuer, label: account }).toString();
}

/** The time step of a six-digit code; undefined if it is not valid around `at` (milliseconds since 1970). */
export function stepOf(secret: string, digits: string, at: number): number | undefined {
  const distance = TOTP.validate({
    ...KIND,
    token: digits,
    secret: Secret.fromBase32(secret),
    timestamp: at,
    window: WINDOW,
  });
  return distance === null ? undefined : TOTP.counter({ period: KIND.period, timestamp: at }) + distance;
}

/** The secret to type into an authenticator app, and the address for its QR code. */
export type SetUp = { secret: string; address: string };

/** Creates a secret. Apps show it with the site's host name and the account. */
export function newSetUp(
  { random, publicUrl }: Pick<SignInContext, 'random' | 'publicUrl'>,
  { email, user_name }: Pick<Account, 'email' | 'user_name'>,
): SetUp {
  const secret = newTotpSecret(random);
  const issuer = new URL(publicUrl).hostname;
  return { secret, address: totpAddress(secret, { issuer, account: email || user_name }) };
}

/** Encrypts a secret for one account; it cannot be decrypted for another one. */
export function encryptSecret(
  { encryptor }: Pick<SignInContext, 'encryptor'>,
  userId: number,
  secret: string,
): string {
  return encryptor.encrypt(secret, labelOf(userId));
}

/** @throws SERVICE_UNAVAILABLE when the encryption key was lost; recovery codes still work then */
export function decryptSecret(
  { encryptor }: Pick<SignInContext, 'encryptor'>,
  userId: number,
  encryptedSecret: string,
): string {
  const secret = encryptor.decrypt(encryptedSecret, labelOf(userId));
  if (secret !== undefined) return secret;
  throw appError('SERVICE_UNAVAILABLE', {
    cause: new Error('a second factor cannot be decrypted: its encryption key is missing'),
  });
}

const labelOf = (userId: number): string => `second factor of ${userId}`;

const SIX_DIGITS = /^\d{6}$/;

/** Normalizes a typed or pasted six-digit code, such as "123 456". Undefined for anything else. */
export function sixDigits(typed: string): string | undefined {
  const digits = typed.normalize('NFKC').replace(/[\s-]/g, '');
  return SIX_DIGITS.test(digits) ? digits : undefined;
}

/**
 * Checks a code of a user's authenticator app, or one of their recovery codes; each is valid once. Attempts are counted
 * across all sign-ins, so that a new sign-in does not allow more.
 * @throws SECOND_FACTOR_WRONG when it is neither or was used before, TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE
 */
export async function checkCode(
  identity: SignInContext,
  { owner, typed, request }: { owner: Account; typed: string; request: FastifyRequest },
): Promise<void> {
  const { user_id: userId } = owner;
  const guess: Guess = { secret: 'second factor', account: String(userId), owner, request };
  await checkGuess(identity, guess, async () => {
    if (await consumeSecondFactorCode(identity, userId, typed, request.log)) return;
    request.log.warn({ user_id: userId }, 'wrong second-factor code');
    throw appError('SECOND_FACTOR_WRONG');
  });
}

async function consumeSecondFactorCode(
  identity: SignInContext,
  userId: number,
  typed: string,
  log: FastifyBaseLogger,
): Promise<boolean> {
  const { db, now } = identity;
  const digits = sixDigits(typed);
  if (digits !== undefined) {
    const factor = await findSecondFactor(db, userId);
    const step = factor && stepOf(decryptSecret(identity, userId, factor.sealed_secret), digits, now());
    return step !== undefined && consumeStep(db, userId, step);
  }
  const codeHash = recoveryHash(typed);
  if (!codeHash || !(await consumeRecoveryCode(db, { userId, codeHash, at: new Date(now()) }))) return false;
  log.info({ user_id: userId }, 'recovery code used');
  return true;
}

/** Whether a user with this role must have a second factor. */
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

/** The stored hash of a recovery code, typed with or without groups; undefined for an invalid code. */
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
 * Enables the second factor of a user, within the caller's transaction.
 * @returns the recovery codes, which are shown only once; undefined when it is enabled already
 */
export async function enableSecondFactor(
  db: IdentityDb,
  context: Pick<SignInContext, 'now' | 'random'>,
  { userId, encryptedSecret, step }: { userId: number; encryptedSecret: string; step: number },
): Promise<string[] | undefined> {
  const at = new Date(context.now());
  if (!(await insertSecondFactor(db, { userId, encryptedSecret, step, at }))) return undefined;
  return regenerateRecoveryCodes(db, context, userId);
}

/** Replaces all recovery codes of a user. */
export async function regenerateRecoveryCodes(
  db: IdentityDb,
  { random }: Pick<SignInContext, 'random'>,
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
