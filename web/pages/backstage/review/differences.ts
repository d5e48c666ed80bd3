import { Change, diff } from '@codemirror/merge';

/** Places in two lists of tokens between which they differ. */
type TokenChange = { fromA: number; toA: number; fromB: number; toB: number };

/** Private characters stand in for tokens: so many are there below the surrogates. */
const FIRST = 0x100;
const KINDS_MAX = 0xd800 - FIRST;

/** Milliseconds after which differences are told more coarsely. */
const TIMEOUT = 400;

/**
 * What differs between two lists of words or lines; undefined when there are too many kinds of them to be told apart.
 */
function tokenDifference(
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

/** Limits of the search for what differs inside changed lines: characters at a time, milliseconds in all. */
const CHARACTERS = { scanLimit: 500, timeout: 100 };
const TIME_IN_ALL = 400;

/**
 * What differs between two programs, in characters: lines first, so that a change here and one far below stay two, then
 * inside the changed lines. Once it has taken long, what is left is told by whole lines.
 */
export function lineDifference(before: string, after: string): readonly Change[] {
  const [beforeLines, afterLines] = [linesOf(before), linesOf(after)];
  const lines = tokenDifference(beforeLines, afterLines);
  if (!lines) return diff(before, after, CHARACTERS);
  const [beforeStarts, afterStarts] = [startsOf(beforeLines), startsOf(afterLines)];
  const end = Date.now() + TIME_IN_ALL;
  return lines.flatMap((line) => {
    const [fromA, toA] = [beforeStarts[line.fromA] ?? 0, beforeStarts[line.toA] ?? before.length];
    const [fromB, toB] = [afterStarts[line.fromB] ?? 0, afterStarts[line.toB] ?? after.length];
    if (Date.now() > end) return [new Change(fromA, toA, fromB, toB)];
    return diff(before.slice(fromA, toA), after.slice(fromB, toB), CHARACTERS).map(
      (one) => new Change(fromA + one.fromA, fromA + one.toA, fromB + one.fromB, fromB + one.toB),
    );
  });
}

/** Lines with the break that ends them. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Where each line begins, and after the last one the end. */
function startsOf(lines: readonly string[]): number[] {
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length);
  return starts;
}

/** A stretch of text: in both, only before, or only after. */
type Piece = { kind: 'same' | 'removed' | 'added'; text: string };

/**
 * What changed between two texts, word by word: also in scripts that put no space between words.
 * @param lang BCP 47 tag of both texts
 */
export function wordDifference(before: string, after: string, lang: string): Piece[] {
  const segmenter = new Intl.Segmenter(lang, { granularity: 'word' });
  const wordsOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);
  const [beforeWords, afterWords] = [wordsOf(before), wordsOf(after)];
  const whole = { fromA: 0, toA: beforeWords.length, fromB: 0, toB: afterWords.length };
  const pieces: Piece[] = [];
  const put = (kind: Piece['kind'], words: string[]): void => {
    if (words.length > 0) pieces.push({ kind, text: words.join('') });
  };
  let at = 0;
  for (const { fromA, toA, fromB, toB } of tokenDifference(beforeWords, afterWords) ?? [whole]) {
    put('same', afterWords.slice(at, fromB));
    put('removed', beforeWords.slice(fromA, toA));
    put('added', afterWords.slice(fromB, toB));
    at = toB;
  }
  put('same', afterWords.slice(at));
  return pieces;
}
