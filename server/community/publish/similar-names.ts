import type { Finding } from '../../../shared/entities/finding.ts';
import type { Texts } from '../../../shared/languages.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import type { Db } from '../schema.ts';
import { foldName, lexemesOfText, nameLexeme } from '../search/lexemes.ts';
import { quoteLexeme } from '../search/query.ts';
import { editDistance } from '../search/similar.ts';
import { findOtherNames, type OtherName } from './store.ts';

/**
 * Warns of names that are close to one of another publisher's plugin, once each (design section 7, rule 9).
 * @param names in all languages
 */
export async function similarNames(db: Db, names: Texts, publisherId: number): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [language, name] of Object.entries(names)) {
    const other = await firstAlike(db, name, publisherId);
    if (other) found.push(finding('SIMILAR_NAME', { pointer: `/name/${language}` }, other));
  }
  return found;
}

async function firstAlike(db: Db, name: string, publisherId: number): Promise<OtherName | undefined> {
  for (const query of candidateQueries(name)) {
    const others = await findOtherNames(db, query, publisherId);
    const alike = others.find((other) => looksAlike(name, other.name));
    if (alike) return alike;
  }
  return undefined;
}

/** Edits that still leave a name to be taken for another, by the letters it has. */
function editsAllowed(letters: number): number {
  if (letters < 5) return 0;
  return letters < 12 ? 1 : 2;
}

/** Whether people could take one name for the other. */
export function looksAlike(name: string, other: string): boolean {
  const [a, b] = [skeletonOf(name), skeletonOf(other)];
  if (a === '' || b === '') return false;
  const most = editsAllowed(Math.max([...a].length, [...b].length));
  return editDistance(a, b, most) <= most;
}

/** Names longer than this have words enough to be found by. */
const TYPED_MAX = 24;
const ALPHABETS: readonly [RegExp, string][] = [
  [/\p{Script=Latin}/u, 'abcdefghijklmnopqrstuvwxyz'],
  [/\p{Script=Cyrillic}/u, 'абвгдежзийклмнопрстуфхцчшщъыьэюя'],
];

/** So many letters, at most, begin two names that differ only behind them. */
const BEGINNING = 3;
/** What is read as one letter, and as two. */
const JOINED: readonly [string, string][] = [
  ['m', 'rn'],
  ['w', 'vv'],
];

/**
 * Text-search queries that find the names which a name could be taken for, closest first: the same in another spelling
 * or one letter off, those that have all of its words but one, those that begin alike. Each is answered by an index.
 */
export function candidateQueries(name: string): string[] {
  const folded = nameLexeme(name).slice(1);
  const spellings = [...new Set([asLatin(name), asCyrillic(name), folded])].filter((text) => text !== '');
  const whole = new Set(
    spellings.flatMap((spelling) => [spelling, ...oneOff(spelling), ...otherwise(spelling)]),
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

/** The same letters with spaces elsewhere, and letters that are read as others. */
function otherwise(spelling: string): string[] {
  const letters = [...spelling.replaceAll(' ', '')].slice(0, TYPED_MAX * 2);
  const spaced = letters.map((_, at) => `${letters.slice(0, at).join('')} ${letters.slice(at).join('')}`);
  const joined = JOINED.flatMap(([one, two]) => [
    spelling.replaceAll(one, two),
    spelling.replaceAll(two, one),
  ]);
  return [letters.join(''), ...spaced.slice(1), ...joined];
}

/** What differs in one letter of the first half; what does so in the second begins alike. */
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

/** Letters of other scripts, and digits, that look like Latin ones (Unicode Technical Standard 39, the common ones). */
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  һ: 'h',
  і: 'i',
  ї: 'i',
  ј: 'j',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  ԛ: 'q',
  ѕ: 's',
  т: 't',
  у: 'y',
  ѵ: 'v',
  ԝ: 'w',
  х: 'x',
  α: 'a',
  β: 'b',
  γ: 'y',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ω: 'w',
  ı: 'i',
  ɡ: 'g',
  ո: 'n',
  ս: 'u',
};
const CYRILLIC = new Map(
  Object.entries(LOOKALIKES)
    .filter(([letter]) => /\p{Script=Cyrillic}/u.test(letter))
    .reverse()
    .map(([letter, latin]) => [latin, letter]),
);
/** Latin letters and digits that are taken for one another, and letters that are easily written twice. */
const SAME: readonly [RegExp, string][] = [
  [/[il1|]/g, 'l'],
  [/[o0]/g, 'o'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/(.)\1+/gu, '$1'],
];

function replaced(text: string, letters: (letter: string) => string | undefined): string {
  return [...text].map((letter) => letters(letter) ?? letter).join('');
}

/** A name with every letter that looks like a Latin one written as that. */
function asLatin(name: string): string {
  return replaced(foldName(name), (letter) => LOOKALIKES[letter]);
}

/** A name with every Latin letter that looks like a Cyrillic one written as that. */
function asCyrillic(name: string): string {
  return replaced(foldName(name), (letter) => CYRILLIC.get(letter));
}

/** Two names of one skeleton look alike: neither script, width, case, spaces nor marks tell them apart. */
function skeletonOf(name: string): string {
  const letters = asLatin(name).replace(/[^\p{L}\p{N}]/gu, '');
  return SAME.reduce((text, [pattern, letter]) => text.replace(pattern, letter), letters);
}
