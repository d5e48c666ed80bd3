import { ALL_TAG_ID } from '../../../../shared/constants.ts';
import { kanaOf, soundOf } from './kana.ts';
import {
  type KeywordTerm,
  kanaLexeme,
  nameLexeme,
  publisherLexeme,
  type Run,
  readingLexeme,
  runsOf,
  tagLexeme,
  termsOfKeyword,
  termsOfRun,
} from './lexemes.ts';

/** A keyword as text-search queries, best match first (written as `tsquery` text, PostgreSQL chapter 8.11.2). */
export type KeywordQuery = {
  /** The name is the keyword. */
  exact: string;
  /** The name begins with the keyword; empty, as `exact`, for filters alone. */
  prefix: string;
  /** All words of the keyword occur. */
  words: string;
  /** The terms that must occur, without the tag; empty for the alternatives of a mistyped keyword. */
  parts: string[];
  /** Punctuation belongs to its words, so that a name may begin with it without having them: `c#` begins `C#Tools`. */
  isMarked: boolean;
};

/** How runs of a keyword in kanji are read, in kana, by the folded run. */
export type KeywordReadings = ReadonlyMap<string, string>;
export const UNREAD: KeywordReadings = new Map();

/** Words by what they begin with, of the beginnings for which they are known (beginnings.ts). */
export type Beginnings = ReadonlyMap<string, readonly string[]>;
export const UNSPELLED: Beginnings = new Map();

/**
 * The queries of a keyword among the plugins of a tag; undefined for a keyword without letters and digits.
 * @param beginnings words to look for in place of what they begin with
 */
export function queryOfKeyword(
  keyword: string,
  tagId: number,
  readings = UNREAD,
  beginnings = UNSPELLED,
): KeywordQuery | undefined {
  const runs = runsOf(keyword).map((run) => queriesOfRun(run, readings, beginnings));
  if (runs.length === 0) return undefined;
  const [words, parts] = [new Set(runs.map((run) => run.words)), new Set(runs.flatMap((run) => run.parts))];
  return {
    ...nameQueries(keyword, tagId),
    words: withTag([...words].join(' & '), tagId),
    parts: [...parts],
  };
}

/** The queries of names that are the keyword or begin with it. */
export function nameQueries(
  keyword: string,
  tagId: number,
): Pick<KeywordQuery, 'exact' | 'prefix' | 'isMarked'> {
  const name = quoteLexeme(nameLexeme(keyword));
  return {
    exact: withTag(name, tagId),
    prefix: withTag(`${name}:*`, tagId),
    isMarked: runsOf(keyword).some(({ marked }) => marked !== undefined),
  };
}

/** What words must begin with to match a keyword. */
export function beginningsIn(keyword: string, readings = UNREAD): string[] {
  const terms = runsOf(keyword).flatMap((run) => [...termsOfRun(run), ...soundsOfRun(run, readings)]);
  return terms.filter(({ isPrefix }) => isPrefix).map(({ lexeme }) => lexeme);
}

/** Whether a query consists of one lexeme or prefix. */
export function isSingleWord(query: string): boolean {
  return !/[&|]/.test(query);
}

/** Restricts a query to the plugins of a tag. */
export function withTag(query: string, tagId: number): string {
  return tagId === ALL_TAG_ID ? query : `${quoteLexeme(tagLexeme(tagId))} & ${query}`;
}

/** Filters of a backstage list. */
export type Filters = { keyword?: string; publisher?: string; tag_id?: number };

/**
 * The query of all filters together on the lexemes of `full`.
 * @returns undefined without filters; 'nothing' for a filter without letters and digits, which matches nothing
 */
export function queryOfFilters(filters: Filters): string | 'nothing' | undefined {
  const { keyword = '', publisher = '', tag_id: tagId = ALL_TAG_ID } = filters;
  const words = termsOfKeyword(keyword);
  const names = termsOfKeyword(publisher).map((term) => ({ ...term, lexeme: publisherLexeme(term.lexeme) }));
  const isEmpty = (text: string, terms: readonly KeywordTerm[]) => text.trim() !== '' && terms.length === 0;
  if (isEmpty(keyword, words) || isEmpty(publisher, names)) return 'nothing';
  const tags = tagId === ALL_TAG_ID ? [] : [{ lexeme: tagLexeme(tagId), isPrefix: false }];
  const terms = [...tags, ...names, ...words];
  return terms.length === 0 ? undefined : terms.map((term) => termQuery(term)).join(' & ');
}

/** The query of a run, and what of it must occur each: `(a & b) | c` is `a | c` and `b | c`. */
function queriesOfRun(
  run: Run,
  readings: KeywordReadings,
  beginnings: Beginnings,
): Pick<KeywordQuery, 'words' | 'parts'> {
  const terms = [...new Set(termsOfRun(run).map((term) => termQuery(term, beginnings)))];
  const sound = soundQuery(run, readings, beginnings);
  if (sound === undefined) return { words: terms.join(' & '), parts: terms };
  return { words: `(${terms.join(' & ')} | ${sound})`, parts: terms.map((term) => `(${term} | ${sound})`) };
}

/** What may be pinyin: two Latin letters at least, as one begins too many. */
const PINYIN = /^[a-z]{2,}$/;

/** The query of names by their sound. */
export function soundQuery(run: Run, readings: KeywordReadings, beginnings = UNSPELLED): string | undefined {
  const [sound] = soundsOfRun(run, readings);
  return sound && termQuery(sound, beginnings);
}

/**
 * How names sound that are read as a run is written, and for a run in kanji how those are written that are read as it is.
 * Kanji that sound alike are other words.
 */
function soundsOfRun(run: Run, readings: KeywordReadings): KeywordTerm[] {
  const text = run.marked ?? run.characters.join('');
  const kana = kanaOf(text);
  const typed = kana === undefined ? PINYIN.exec(text)?.[0] : soundOf(kana);
  const read = readings.get(text);
  const lexeme = typed === undefined ? read && kanaLexeme(read) : readingLexeme(typed);
  return lexeme === undefined ? [] : [{ lexeme, isPrefix: true }];
}

function termQuery({ lexeme, isPrefix }: KeywordTerm, beginnings = UNSPELLED): string {
  if (!isPrefix) return quoteLexeme(lexeme);
  const words = beginnings.get(lexeme);
  return words ? `(${words.map(quoteLexeme).join(' | ')})` : `${quoteLexeme(lexeme)}:*`;
}

/** A lexeme quoted for a `tsquery` text. */
export function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
