import { Change, diff } from '@codemirror/merge';

/** Ranges in two lists of tokens that differ. */
type TokenChange = { fromA: number; toA: number; fromB: number; toB: number };

/** Tokens are mapped to single characters; this many are below the surrogates. */
const FIRST = 0x100;
const KINDS_MAX = 0xd800 - FIRST;

/** Milliseconds after which the diff becomes coarser. */
const TIMEOUT = 400;

/** The diff of two lists of words or lines; undefined with too many distinct ones. */
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

/** Limits of the diff inside changed lines: characters at a time, milliseconds in total. */
const CHARACTERS = { scanLimit: 500, timeout: 100 };
const TOTAL_MS = 400;

/**
 * The diff of two programs in characters: by line first, so that distant changes stay separate, then inside the changed
 * lines. After the time limit the rest is compared by line only.
 */
export function lineDifference(before: string, after: string): readonly Change[] {
  const [beforeLines, afterLines] = [linesOf(before), linesOf(after)];
  const lines = tokenDifference(beforeLines, afterLines);
  if (!lines) return diff(before, after, CHARACTERS);
  const [beforeStarts, afterStarts] = [startsOf(beforeLines), startsOf(afterLines)];
  const end = Date.now() + TOTAL_MS;
  return lines.flatMap((line) => {
    const [fromA, toA] = [beforeStarts[line.fromA] ?? 0, beforeStarts[line.toA] ?? before.length];
    const [fromB, toB] = [afterStarts[line.fromB] ?? 0, afterStarts[line.toB] ?? after.length];
    if (Date.now() > end) return [new Change(fromA, toA, fromB, toB)];
    return diff(before.slice(fromA, toA), after.slice(fromB, toB), CHARACTERS).map(
      (one) => new Change(fromA + one.fromA, fromA + one.toA, fromB + one.fromB, fromB + one.toB),
    );
  });
}

/** Lines with their line breaks. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Start of each line, and the end after the last one. */
function startsOf(lines: readonly string[]): number[] {
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length);
  return starts;
}

/** A piece of text: in both versions, only in the old or only in the new one. */
type Piece = { kind: 'same' | 'removed' | 'added'; text: string };

/**
 * The diff of two texts by word, also in scripts without spaces.
 * @param lang BCP 47 tag of both texts
 */
export function wordDifference(before: string, after: string, lang: string): Piece[] {
  const segmenter = new Intl.Segmenter(lang, { granularity: 'word' });
  const wordsOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);
  const [beforeWords, afterWords] = [wordsOf(before), wordsOf(after)];
  const everything = { fromA: 0, toA: beforeWords.length, fromB: 0, toB: afterWords.length };
  const pieces: Piece[] = [];
  const put = (kind: Piece['kind'], words: string[]): void => {
    if (words.length > 0) pieces.push({ kind, text: words.join('') });
  };
  let at = 0;
  for (const { fromA, toA, fromB, toB } of tokenDifference(beforeWords, afterWords) ?? [everything]) {
    put('same', afterWords.slice(at, fromB));
    put('removed', beforeWords.slice(fromA, toA));
    put('added', afterWords.slice(fromB, toB));
    at = toB;
  }
  put('same', afterWords.slice(at));
  return pieces;
}
