import type { IdentityContext } from '../context.ts';
import type { IdentityDb } from '../schema.ts';
import { type Random, secretHash } from '../secret.ts';
import { insertSecondFactor, replaceRecoveryCodes } from './store.ts';

export const RECOVERY_CODES = 10;

const LENGTH = 16;
const GROUP = 4;
/** 32 characters that nobody mistakes for one another, so that five bits of each random byte choose one. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Ten new codes of 80 bits each, in groups of four characters: `abcd-efgh-jkmn-pqrs`. */
export function newRecoveryCodes(random: Random): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => grouped(newCode(random)));
}

/** What is stored of a code that was typed with or without its groups; undefined for what can be none. */
export function recoveryHash(typed: string): Buffer | undefined {
  const code = typed.normalize('NFKC').toLowerCase().replace(/[\s-]/g, '');
  const isCode = code.length === LENGTH && [...code].every((character) => ALPHABET.includes(character));
  return isCode ? secretHash(code) : undefined;
}

function newCode(random: Random): string {
  return Array.from(random(LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
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
