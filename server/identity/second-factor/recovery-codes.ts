import { type Random, secretHash } from '../secret.ts';

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
