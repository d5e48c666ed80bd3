import { foldName, lexemesOfText } from './lexemes.ts';

/** Begins the lexeme that a whole name becomes; no word contains it, so names and words never meet. */
const NAME_MARK = '=';
/** Begins the lexeme that a tag becomes. */
const TAG_MARK = '#';

/** A plugin's texts of all languages, as search sees them. */
export type Searchable = {
  names: string[];
  intros: string[];
  tag_ids: number[];
  /** Descriptions, publisher, names of tags: what is looked through last. */
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

export function documentOf({ names, intros, tag_ids, others }: Searchable): SearchDocument {
  const name = lexemesOfText(names.join('\n'));
  const headline = name.union(lexemesOfText(intros.join('\n')));
  const full = headline.union(lexemesOfText(others.join('\n')));
  const tags = tag_ids.map(tagLexeme);
  return {
    name: [...name, ...new Set(names.map(nameLexeme)), ...tags],
    headline: [...headline, ...tags],
    full: [...full, ...tags],
  };
}
