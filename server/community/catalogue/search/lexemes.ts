/**
 * Lexemes of search (R 3.11). Texts and keywords are split by the same function, so neither the server's locale
 * nor a dictionary matters.
 */

/** Characters of scripts written without spaces, where any two neighbours may be a word. */
const UNSPACED = String.raw`[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Hangul}]`;
/** Punctuation that belongs to a name: `.svg`, `c++`, `c#`. Elsewhere it separates words. */
const BEFORE = String.raw`(?<before>(?<![\p{L}\p{N}\p{M}.])\.(?=\p{L}))?`;
const AFTER = String.raw`(?<after>[+#]{1,2}(?![\p{L}\p{N}\p{M}+#]))?`;
const RUNS = new RegExp(
  String.raw`(?<unspaced>(?:(?=[\p{L}\p{N}\p{M}])${UNSPACED})+)|${BEFORE}(?<word>(?:(?!${UNSPACED})[\p{L}\p{N}\p{M}])+)${AFTER}`,
  'gu',
);
/** Hiragana, whose katakana are the same number of characters later. */
const HIRAGANA = /[\u3041-\u3096\u309d\u309e]/g;
const TO_KATAKANA = 0x60;
const LATIN_MARKS = /(?<=\p{Script=Latin}\p{M}*)\p{M}/gu;
/** PostgreSQL's limit of a lexeme is 2 KiB; no word is this long. */
const WORD_MAX = 64;

/** Folds what users type in different ways into one spelling: width, case, Latin accents, ё, hiragana and katakana. */
export function foldText(text: string): string {
  const bare = text.normalize('NFKD').replace(LATIN_MARKS, '').normalize('NFKC');
  const kana = bare.replace(HIRAGANA, (letter) => String.fromCharCode(letter.charCodeAt(0) + TO_KATAKANA));
  return kana.toLowerCase().replaceAll('ё', 'е');
}

/** A name, or keyword, in the form that exact and prefix matches compare. */
export function foldName(name: string): string {
  return foldText(name).replace(/\s+/gu, ' ').trim();
}

/** Neighbouring characters of a text: a word, or a run in which any two neighbours may be a word. */
export type Run = {
  kind: 'unspaced' | 'word';
  characters: string[];
  /** A word with the punctuation that belongs to it. */
  marked?: string;
};

export function runsOf(text: string): Run[] {
  return [...foldText(text).matchAll(RUNS)].map(({ groups = {} }): Run => {
    const { unspaced, before = '', word = '', after = '' } = groups;
    if (unspaced !== undefined) return { kind: 'unspaced', characters: [...unspaced] };
    const characters = [...word];
    const isMarked = before !== '' || after !== '';
    return {
      kind: 'word',
      characters,
      ...(isMarked && { marked: `${before}${characters.slice(0, WORD_MAX).join('')}${after}` }),
    };
  });
}

/** The runs of scripts without spaces, as they are written. */
export function unspacedIn(text: string): string[] {
  return [...text.normalize('NFKC').matchAll(RUNS)].flatMap(({ groups }) => groups?.unspaced ?? []);
}

/** All pairs of neighbouring characters. */
export function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

export function wordOf({ characters }: Run): string {
  return characters.slice(0, WORD_MAX).join('');
}

/** The lexemes a text can be found by: whole words; single characters and pairs of unspaced scripts. */
export function lexemesOfText(text: string): Set<string> {
  return new Set(
    runsOf(text).flatMap((run) => {
      if (run.kind === 'unspaced') return [...run.characters, ...pairsOf(run.characters)];
      return run.marked === undefined ? [wordOf(run)] : [wordOf(run), run.marked];
    }),
  );
}

/** A condition on one lexeme: words of spaced scripts match by prefix. */
export type KeywordTerm = { lexeme: string; isPrefix: boolean };

/** The terms that a text must contain, all of them, to match a keyword; empty for a keyword without letters and digits. */
export function termsOfKeyword(keyword: string): KeywordTerm[] {
  const terms = runsOf(keyword).flatMap(termsOfRun);
  return [...new Map(terms.map((term) => [`${term.isPrefix} ${term.lexeme}`, term])).values()];
}

/** The terms that a text must contain to match a run of a keyword. */
export function termsOfRun(run: Run): KeywordTerm[] {
  if (run.kind === 'word') return [{ lexeme: run.marked ?? wordOf(run), isPrefix: true }];
  const parts = run.characters.length === 1 ? run.characters : pairsOf(run.characters);
  return parts.map((lexeme) => ({ lexeme, isPrefix: false }));
}

/** Prefix of the lexeme of a whole name; no word contains it, so names and words never collide. */
const NAME_MARK = '=';
/** Prefix of the lexemes of tags and other properties that lists are filtered by. */
const PROPERTY_MARK = '#';
/** Prefix of the lexemes of the publisher's name, so that it can be queried by itself. */
const PUBLISHER_MARK = '@';

/** Prefix of the lexemes of readings, which are not words of the text. */
const READING_MARK = '~';
/** Prefix of the lexemes of names in kana, which are looked up by how kanji are read. */
const KANA_MARK = '^';

/** Whether a stored lexeme is a word of the texts that says something alone: no name, property or reading, no single character. */
export function isPlainWord(lexeme: string): boolean {
  const marks = [NAME_MARK, PROPERTY_MARK, PUBLISHER_MARK, READING_MARK, KANA_MARK];
  return [...lexeme].length > 1 && !marks.some((mark) => lexeme.startsWith(mark));
}

/** The lexeme by which a name, or with a prefix query its beginning, is found. */
export function nameLexeme(name: string): string {
  return `${NAME_MARK}${foldName(name)}`;
}

/** The lexeme of a tag: one index looks words and tag up together. */
export function tagLexeme(tagId: number): string {
  return `${PROPERTY_MARK}${tagId}`;
}

/** The lexeme of another property, such as `lang:es-ES`, which is found the same way. */
export function propertyLexeme(property: string): string {
  return `${PROPERTY_MARK}${property}`;
}

/** The opposite of `propertyLexeme`. */
export function propertyOf(lexeme: string): string {
  return lexeme.slice(PROPERTY_MARK.length);
}

/** The lexeme of a word, or pair of characters, of the publisher's name. */
export function publisherLexeme(lexeme: string): string {
  return `${PUBLISHER_MARK}${lexeme}`;
}

/** The lexeme of a reading. */
export function readingLexeme(reading: string): string {
  return `${READING_MARK}${reading}`;
}

/** The lexeme of a part of a name that is written in kana. */
export function kanaLexeme(kana: string): string {
  return `${KANA_MARK}${kana}`;
}
