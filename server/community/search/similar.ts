import type { Db } from '../schema.ts';
import { pairsOf, type Run, runsOf, wordOf } from './lexemes.ts';
import { type KeywordQuery, nameQueries, queryOfKeyword, quoteLexeme, withTag } from './query.ts';
import { findNeighbours, hasMatch } from './store.ts';

/** Shorter words have too many neighbours to guess which one was meant. */
const LETTERS_MIN = 4;
/** Words and runs of a keyword that are looked at; who types more means something else. */
const RUNS_MAX = 8;

/**
 * The queries of a keyword that was mistyped: words may differ from words of names in one letter, or two that changed
 * places; in scripts without spaces one character may be wrong.
 * @returns undefined when the keyword as it stands matches something, or nothing is near it
 */
export async function queryOfSimilar(
  db: Db,
  keyword: string,
  tagId: number,
): Promise<KeywordQuery | undefined> {
  const plain = queryOfKeyword(keyword, 0);
  const runs = runsOf(keyword);
  if (!plain || runs.length > RUNS_MAX || (await hasMatch(db, plain.words))) return undefined;
  const near = await neighboursOf(db, runs);
  const conditions = runs.map((run) => (run.kind === 'word' ? wordQuery(run, near) : unspacedQuery(run)));
  if (!conditions.every((condition) => condition !== undefined)) return undefined;
  const words = conditions.map((condition) => `(${condition})`).join(' & ');
  return { ...nameQueries(keyword, tagId), words: withTag(words, tagId), parts: [] };
}

async function neighboursOf(db: Db, runs: readonly Run[]): Promise<Map<string, string[]>> {
  const words = runs.filter(({ kind }) => kind === 'word').map(wordOf);
  const near = new Map(words.map((word): [string, string[]] => [word, []]));
  const asked = words.filter((word) => [...word].length >= LETTERS_MIN);
  if (asked.length === 0) return near;
  for (const { asked: word, word: other } of await findNeighbours(db, asked)) {
    if (editDistance(word, other, 1) <= 1) near.get(word)?.push(other);
  }
  return near;
}

/** The beginning of a word as it was typed, or a neighbour. */
function wordQuery(run: Run, near: ReadonlyMap<string, readonly string[]>): string {
  const word = wordOf(run);
  return [`${quoteLexeme(word)}:*`, ...(near.get(word) ?? []).map(quoteLexeme)].join(' | ');
}

/** All pairs but those that one wrong character spoils, which are two neighbours. */
function unspacedQuery({ characters }: Run): string | undefined {
  const pairs = pairsOf(characters).map(quoteLexeme);
  if (pairs.length === 0) return characters.map(quoteLexeme).join('');
  const spoilt = pairs.length > 2 ? 2 : 1;
  const ways = pairs.slice(spoilt - 1).map((_, at) => pairs.toSpliced(at, spoilt));
  const possible = [pairs, ...ways].filter((way) => way.length > 0);
  return possible.map((way) => `(${way.join(' & ')})`).join(' | ');
}

/**
 * Edits between two texts, neighbours that changed places counting as one (optimal string alignment).
 * @returns the number, or `most + 1` when there are more than `most`
 */
export function editDistance(a: string, b: string, most: number): number {
  const [left, right] = [[...a], [...b]];
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, letter] of left.entries()) {
    const current = [row + 1];
    for (const [column, other] of right.entries()) {
      const isSame = letter === other;
      const changed = (last[column] ?? 0) + (isSame ? 0 : 1);
      const removed = (last[column + 1] ?? 0) + 1;
      const added = (current[column] ?? 0) + 1;
      const isSwapped = row > 0 && column > 0 && letter === right[column - 1] && left[row - 1] === other;
      const swapped = isSwapped ? (beforeLast[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(changed, removed, added, swapped));
    }
    if (Math.min(...current) > most) return most + 1;
    beforeLast = last;
    last = current;
  }
  return Math.min(last.at(-1) ?? 0, most + 1);
}
