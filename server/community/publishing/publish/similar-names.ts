import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { skeletonsOf } from '../../catalogue/publisher-names/skeletons.ts';
import { foldName, lexemesOfText, nameLexeme } from '../../catalogue/search/lexemes.ts';
import { quoteLexeme } from '../../catalogue/search/query.ts';
import { editDistance } from '../../catalogue/search/similar.ts';
import { findOtherNames, type OtherName } from '../../catalogue/search/store.ts';
import type { Db } from '../../schema.ts';

/**
 * Warns about names similar to that of another publisher's plugin, once each (R 6.12).
 * @param names in all languages
 */
export async function similarNames(db: Db, names: Texts, publisherId: number): Promise<Finding[]> {
  const asked = Object.entries(names).flatMap(([language, name]) =>
    candidateQueries(name).map((query) => ({ language, name, query })),
  );
  const queries = asked.map(({ query }) => query);
  const others = await findOtherNames(db, queries, publisherId);
  // By language, the closest first.
  const closest = new Map<string, OtherName>();
  for (const { query, name, publisher } of others.toSorted((a, b) => a.query - b.query)) {
    const own = asked[query];
    if (!own || closest.has(own.language) || !looksAlike(own.name, name)) continue;
    closest.set(own.language, { name, publisher });
  }
  return [...closest].map(([language, other]) =>
    finding('SIMILAR_NAME', { pointer: `/name/${language}` }, other),
  );
}

/** Edits with which a name of this many letters can still be mistaken for another. */
function editsAllowed(letters: number): number {
  if (letters < 5) return 0;
  return letters < 12 ? 1 : 2;
}

/** Whether one name can be mistaken for the other. */
export function looksAlike(name: string, other: string): boolean {
  const others = skeletonsOf(other);
  return skeletonsOf(name).some((a) =>
    others.some((b) => {
      const most = editsAllowed(Math.max([...a].length, [...b].length));
      return editDistance(a, b, most) <= most;
    }),
  );
}

/** Longer names have enough words to be found by these. */
const TYPED_MAX = 24;
const ALPHABETS: readonly [RegExp, string][] = [
  [/\p{Script=Latin}/u, 'abcdefghijklmnopqrstuvwxyz'],
  [/\p{Script=Cyrillic}/u, 'абвгдежзийклмнопрстуфхцчшщъыьэюя'],
];

/** Letters that two names must have in common at their beginning to be candidates. */
const BEGINNING = 3;
/** Letters that look like two others. */
const JOINED: readonly [string, string][] = [
  ['m', 'rn'],
  ['w', 'vv'],
];

/**
 * Text-search queries for the names that a name could be mistaken for, closest first: another spelling or one letter
 * off; all words but one; the same beginning. Each query uses an index.
 */
export function candidateQueries(name: string): string[] {
  const folded = nameLexeme(name).slice(1);
  const spellings = [...new Set([asLatin(name), asCyrillic(name), folded])].filter((text) => text !== '');
  const whole = new Set(
    spellings.flatMap((spelling) => [spelling, ...oneOff(spelling), ...otherSpellings(spelling)]),
  );
  const beginnings = spellings.map((spelling) => [...spelling].slice(0, BEGINNING).join(''));
  return [
    [...whole].map((spelling) => quoteLexeme(nameLexeme(spelling))),
    spellings.map(allWordsButOne),
    [...new Set(beginnings)].map((beginning) => `${quoteLexeme(nameLexeme(beginning))}:*`),
  ]
    .map((queries) => queries.filter((query) => query !== '').join(' | '))
    .filter((query) => query !== '');
}

/** The same letters with other spaces, and with letters that look like others. */
function otherSpellings(spelling: string): string[] {
  const letters = [...spelling.replaceAll(' ', '')].slice(0, TYPED_MAX * 2);
  const spaced = letters.map((_, at) => `${letters.slice(0, at).join('')} ${letters.slice(at).join('')}`);
  const joined = JOINED.flatMap(([one, two]) => [
    spelling.replaceAll(one, two),
    spelling.replaceAll(two, one),
  ]);
  return [letters.join(''), ...spaced.slice(1), ...joined];
}

/** Names that differ in one letter of the first half; a difference in the second half leaves the beginning the same. */
function oneOff(spelling: string): string[] {
  const letters = [...spelling];
  if (letters.length < 4 || letters.length > TYPED_MAX) return [];
  const alphabet = ALPHABETS.find(([script]) => script.test(spelling))?.[1] ?? '';
  return letters.slice(0, Math.ceil(letters.length / 2)).flatMap((letter, at) => {
    const before = letters.slice(0, at).join('');
    const after = letters.slice(at + 1).join('');
    const [next = '', ...rest] = letters.slice(at + 1);
    const others = [...alphabet].flatMap((other) => [
      before + other + after,
      before + other + letter + after,
    ]);
    return [before + after, before + next + letter + rest.join(''), ...others];
  });
}

function allWordsButOne(spelling: string): string {
  const words = [...lexemesOfText(spelling)].slice(0, 12).map(quoteLexeme);
  if (words.length < 2) return words.join('');
  return words.map((_, left) => `(${words.filter((_, index) => index !== left).join(' & ')})`).join(' | ');
}

/** Letters of other scripts, each with the Latin one that people type for it: these are looked up as words. */
const LOOKALIKES = new Map(
  'аa вb сc ԁd еe һh іi їi јj кk мm нh оo рp ԛq ѕs тt уy ѵv ԝw хx αa βb γy εe ηn ιi κk νv οo ρp τt υu χx ωw ıi ɡg ոn սu'
    .split(' ')
    .map(([letter = '', latin = '']): [string, string] => [letter, latin]),
);
const CYRILLIC = new Map(
  [...LOOKALIKES]
    .filter(([letter]) => /\p{Script=Cyrillic}/u.test(letter))
    .map(([letter, latin]): [string, string] => [latin, letter])
    .reverse(),
);
function replaceLetters(text: string, letters: (letter: string) => string | undefined): string {
  return [...text].map((letter) => letters(letter) ?? letter).join('');
}

/** Replaces letters that look like Latin ones by these. */
function asLatin(name: string): string {
  return replaceLetters(foldName(name), (letter) => LOOKALIKES.get(letter));
}

/** Replaces Latin letters that look like Cyrillic ones by these. */
function asCyrillic(name: string): string {
  return replaceLetters(foldName(name), (letter) => CYRILLIC.get(letter));
}
