import { ALL_TAG_ID } from '../../../shared/constants.ts';
import { nameLexeme, tagLexeme } from './document.ts';
import { foldName, termsOfKeyword } from './lexemes.ts';

/** A keyword as text-search queries, best match first (written as `tsquery` text, PostgreSQL chapter 8.11.2). */
export type KeywordQuery = {
  /** The name is the keyword. */
  exact: string;
  /** The name begins with the keyword. */
  prefix: string;
  /** All words of the keyword occur. */
  words: string;
};

/** The queries of a keyword among the plugins of a tag, or undefined when it holds no letter or digit. */
export function queryOfKeyword(keyword: string, tagId: number): KeywordQuery | undefined {
  const terms = termsOfKeyword(keyword);
  if (terms.length === 0) return undefined;
  const name = quoteLexeme(nameLexeme(keyword));
  const tag = tagId === ALL_TAG_ID ? '' : `${quoteLexeme(tagLexeme(tagId))} & `;
  const words = terms.map(({ lexeme, isPrefix }) => `${quoteLexeme(lexeme)}${isPrefix ? ':*' : ''}`);
  return { exact: `${tag}${name}`, prefix: `${tag}${name}:*`, words: `${tag}${words.join(' & ')}` };
}

/** Two keywords that differ in case, width or spaces alone are one search. */
export function foldKeyword(keyword: string): string {
  return foldName(keyword);
}

/** A lexeme as text-search queries write it. */
export function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
