import { ALL_TAG_ID } from '../../../../shared/constants.ts';
import type { Db } from '../../schema.ts';
import { pairsOf, type Run, runsOf, wordOf } from './lexemes.ts';
import {
  type KeywordQuery,
  nameQueries,
  queryOfKeyword,
  quoteLexeme,
  soundQuery,
  UNREAD,
  withTag,
} from './query.ts';
import { findMostFrequent, findNeighbours, hasMatch } from './store.ts';

/** Shorter words have too many neighbours to guess which one was meant. */
const LETTERS_MIN = 4;
/** Longer keywords are not corrected. */
const RUNS_MAX = 8;

/** What a mistyped keyword may mean. */
export type Similar = {
  /** The keyword with other words, as it can be searched for; empty where only names that are almost alike were found. */
  keyword: string;
  query: KeywordQuery;
};

/**
 * What is searched for in place of a keyword that matches nothing, so no other search becomes slower (docs/decisions.md, 51):
 * words that differ in one letter, or in two that changed places, of which the most frequent is meant; in scripts without
 * spaces one character may be wrong. Punctuation that belongs to a word may be wrong too, unless there is little else: C++.
 * @returns undefined when the keyword matches a plugin of any tag, or nothing similar can be searched for
 */
export async function findSimilar(
  db: Db,
  keyword: string,
  tagId: number,
  readings = UNREAD,
): Promise<Similar | undefined> {
  const plain = queryOfKeyword(keyword, ALL_TAG_ID, readings);
  const runs = runsOf(keyword);
  const isPlain = runs.every(({ marked, characters }) => marked === undefined || characters.length > 1);
  if (!plain || !isPlain || runs.length > RUNS_MAX || (await hasMatch(db, plain.words))) return undefined;
  const neighbours = await neighboursOf(db, runs.filter(({ kind }) => kind === 'word').map(wordOf));
  const corrected = await correctedKeyword(db, runs, neighbours);
  const query = corrected === keyword ? undefined : queryOfKeyword(corrected, ALL_TAG_ID, readings);
  if (query && (await hasMatch(db, query.words))) {
    return { keyword: corrected, query: queryOfKeyword(corrected, tagId, readings) ?? query };
  }
  const conditions = runs.map((run) =>
    run.kind === 'word'
      ? wordQuery(wordOf(run), neighbours)
      : [unspacedQuery(run), soundQuery(run, readings) ?? []].flat().join(' | '),
  );
  const words = conditions.map((condition) => `(${condition})`).join(' & ');
  return {
    keyword: '',
    query: { ...nameQueries(keyword, tagId), words: withTag(words, tagId), parts: [] },
  };
}

/** The keyword with the most frequent neighbour in place of each word that no plugin has. */
async function correctedKeyword(
  db: Db,
  runs: readonly Run[],
  neighbours: readonly Neighbour[],
): Promise<string> {
  const words = await Promise.all(
    runs.map(async (run) => {
      const word = wordOf(run);
      const near = neighbours.filter(({ asked }) => asked === word).map((found) => found.word);
      if (near.length === 0 || (await hasMatch(db, `${quoteLexeme(word)}:*`))) return word;
      return (await findMostFrequent(db, near)) ?? word;
    }),
  );
  return words.join(' ');
}

type Neighbour = { asked: string; word: string };

async function neighboursOf(db: Db, words: readonly string[]): Promise<Neighbour[]> {
  const long = words.filter((word) => [...word].length >= LETTERS_MIN);
  if (long.length === 0) return [];
  const found = await findNeighbours(db, long);
  return found.filter(({ asked, word }) => editDistance(asked, word, 1) <= 1);
}

/** The beginning of the typed word, or a neighbour. */
function wordQuery(word: string, neighbours: readonly Neighbour[]): string {
  const near = neighbours.filter(({ asked }) => asked === word).map((found) => quoteLexeme(found.word));
  return [`${quoteLexeme(word)}:*`, ...near].join(' | ');
}

/** All pairs except the two neighbouring ones that one wrong character spoils. */
function unspacedQuery({ characters }: Run): string {
  const pairs = pairsOf(characters).map(quoteLexeme);
  if (pairs.length === 0) return characters.map(quoteLexeme).join('');
  const spoilt = pairs.length > 2 ? 2 : 1;
  const ways = pairs.slice(spoilt - 1).map((_, at) => pairs.toSpliced(at, spoilt));
  const possible = [pairs, ...ways].filter((way) => way.length > 0);
  return possible.map((way) => `(${way.join(' & ')})`).join(' | ');
}

/**
 * Edits between two texts; neighbours that changed places count as one (optimal string alignment distance).
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
      const changed = (last[column] ?? 0) + (letter === other ? 0 : 1);
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
