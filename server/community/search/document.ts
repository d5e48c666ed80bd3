import { foldName, lexemesOfText } from './lexemes.ts';

/** Begins the lexeme that a whole name becomes; no word contains it, so names and words never meet. */
const NAME_MARK = '=';
/** Begins the lexeme that a tag becomes. */
const TAG_MARK = '#';
/** Begins a lexeme of the publisher's name, so that it can be asked for by itself. */
const PUBLISHER_MARK = '@';

/** A plugin's texts of all languages, as search sees them. */
export type Searchable = {
  names: string[];
  intros: string[];
  tag_ids: number[];
  /** Name of the publisher. */
  publisher: string;
  /** Descriptions, mark, names of tags: what is looked through last. */
  others: string[];
};

/** The lexemes of the three columns of `plugin_search`. */
export type SearchDocument = { name: string[]; headline: string[]; full: string[] };

/** The lexeme by which the exact name, or with a prefix search its beginning, is found. */
export function nameLexeme(name: string): string {
  return `${NAME_MARK}${foldName(name)}`;
}

/** The lexeme of a tag: words and tag are looked up in one index, together. */
export function tagLexeme(tagId: number): string {
  return `${TAG_MARK}${tagId}`;
}

/** The lexeme of a word, or a pair of characters, of the publisher's name. */
export function publisherLexeme(lexeme: string): string {
  return `${PUBLISHER_MARK}${lexeme}`;
}

/** @param lexemesOf for who makes many documents of the same texts and remembers their lexemes */
export function documentOf(
  { names, intros, tag_ids, publisher, others }: Searchable,
  lexemesOf: (text: string) => ReadonlySet<string> = lexemesOfText,
): SearchDocument {
  const lexemesOfAll = (texts: readonly string[]) => new Set(texts.flatMap((text) => [...lexemesOf(text)]));
  const name = lexemesOfAll(names);
  const headline = name.union(lexemesOfAll(intros));
  const publisherWords = lexemesOf(publisher);
  const full = headline.union(lexemesOfAll(others)).union(publisherWords);
  const tags = tag_ids.map(tagLexeme);
  return {
    name: [...name, ...new Set(names.map(nameLexeme)), ...tags],
    headline: [...headline, ...tags],
    full: [...full, ...tags, ...[...publisherWords].map(publisherLexeme)],
  };
}
