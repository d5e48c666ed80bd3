import { diff } from '@codemirror/merge';

/** Places in two lists of tokens between which they differ. */
export type TokenChange = { fromA: number; toA: number; fromB: number; toB: number };

/** Private characters stand in for tokens: so many are there below the surrogates. */
const FIRST = 0x100;
const KINDS_MAX = 0xd800 - FIRST;

/** Milliseconds after which differences are told more coarsely. */
const TIMEOUT = 400;

/**
 * What differs between two lists of words or lines; undefined when there are too many kinds of them to be told apart.
 */
export function tokenDifference(
  before: readonly string[],
  after: readonly string[],
): readonly TokenChange[] | undefined {
  const codes = new Map<string, number>();
  for (const token of [...before, ...after]) {
    if (!codes.has(token)) codes.set(token, FIRST + codes.size);
  }
  if (codes.size > KINDS_MAX) return undefined;
  const encode = (tokens: readonly string[]): string =>
    tokens.map((token) => String.fromCharCode(codes.get(token) ?? FIRST)).join('');
  return diff(encode(before), encode(after), { timeout: TIMEOUT });
}
