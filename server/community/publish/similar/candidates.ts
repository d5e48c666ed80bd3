import { nameLexeme } from '../../search/document.ts';
import { lexemesOfText } from '../../search/lexemes.ts';
import { quoteLexeme } from '../../search/query.ts';
import { asCyrillic, asLatin } from './skeleton.ts';

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
