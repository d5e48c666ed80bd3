/**
 * Words as search keeps them (design section 6). The same function makes the lexemes of texts and of keywords, so
 * neither the server's locale nor a dictionary matters.
 */

/** Runs written without spaces, where any two neighbours may be a word. */
const UNSPACED = String.raw`[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Hangul}]`;
const RUNS = new RegExp(
  String.raw`(?<unspaced>(?:(?=[\p{L}\p{N}\p{M}])${UNSPACED})+)|(?<word>(?:(?!${UNSPACED})[\p{L}\p{N}\p{M}])+)`,
  'gu',
);
const LATIN_MARKS = /(?<=\p{Script=Latin}\p{M}*)\p{M}/gu;
/** PostgreSQL's limit of a lexeme is 2 KiB; no word is this long. */
const WORD_MAX = 64;

/** One spelling for what people type in many: width, case, Latin accents, ё. */
export function foldText(text: string): string {
  const bare = text.normalize('NFKD').replace(LATIN_MARKS, '').normalize('NFKC');
  return bare.toLowerCase().replaceAll('ё', 'е');
}

/** A name in the form that exact and prefix matches compare. */
export function foldName(name: string): string {
  return foldText(name).replace(/\s+/gu, ' ').trim();
}

/** Neighbouring characters of a text that are a word, or a run in which any two neighbours may be one. */
export type Run = { kind: 'unspaced' | 'word'; characters: string[] };

export function runsOf(text: string): Run[] {
  return [...foldText(text).matchAll(RUNS)].map(({ 0: run, groups }) => ({
    kind: groups?.unspaced === undefined ? 'word' : 'unspaced',
    characters: [...run],
  }));
}

export function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

export function wordOf({ characters }: Run): string {
  return characters.slice(0, WORD_MAX).join('');
}

/** Everything a text can be found by: whole words; single characters and pairs of unspaced scripts. */
export function lexemesOfText(text: string): Set<string> {
  return new Set(
    runsOf(text).flatMap((run) =>
      run.kind === 'word' ? [wordOf(run)] : [...run.characters, ...pairsOf(run.characters)],
    ),
  );
}

/** A condition on one lexeme: words of spaced scripts match by prefix. */
export type KeywordTerm = { lexeme: string; isPrefix: boolean };

/** What a text must have to match a keyword, all of it; empty when nothing in the keyword can be searched for. */
export function termsOfKeyword(keyword: string): KeywordTerm[] {
  const terms = runsOf(keyword).flatMap((run): KeywordTerm[] => {
    if (run.kind === 'word') return [{ lexeme: wordOf(run), isPrefix: true }];
    const parts = run.characters.length === 1 ? run.characters : pairsOf(run.characters);
    return parts.map((lexeme) => ({ lexeme, isPrefix: false }));
  });
  return [...new Map(terms.map((term) => [`${term.isPrefix} ${term.lexeme}`, term])).values()];
}

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
