import { ALL_TAG_ID } from '../../../../shared/constants.ts';
import {
  type KeywordTerm,
  nameLexeme,
  publisherLexeme,
  readingLexeme,
  tagLexeme,
  termsOfKeyword,
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
};

/** The queries of a keyword among the plugins of a tag; undefined for a keyword without letters and digits. */
export function queryOfKeyword(keyword: string, tagId: number): KeywordQuery | undefined {
  const terms = termsOfKeyword(keyword);
  if (terms.length === 0) return undefined;
  const parts = terms.map(keywordQuery);
  return { ...nameQueries(keyword, tagId), words: withTag(parts.join(' & '), tagId), parts };
}

/** The queries of names that are the keyword or begin with it. */
export function nameQueries(keyword: string, tagId: number): Pick<KeywordQuery, 'exact' | 'prefix'> {
  const name = quoteLexeme(nameLexeme(keyword));
  return { exact: withTag(name, tagId), prefix: withTag(`${name}:*`, tagId) };
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
  return terms.length === 0 ? undefined : terms.map(termQuery).join(' & ');
}

/** What may be a reading: two Latin letters at least, as one begins too many. */
const READING = /^[a-z]{2,}$/;

/** A term, or a reading that begins so. */
function keywordQuery(term: KeywordTerm): string {
  const word = termQuery(term);
  if (!term.isPrefix || !READING.test(term.lexeme)) return word;
  return `(${word} | ${termQuery({ ...term, lexeme: readingLexeme(term.lexeme) })})`;
}

function termQuery({ lexeme, isPrefix }: KeywordTerm): string {
  return `${quoteLexeme(lexeme)}${isPrefix ? ':*' : ''}`;
}

/** A lexeme quoted for a `tsquery` text. */
export function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
