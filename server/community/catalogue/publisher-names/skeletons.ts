import unhomoglyph from 'unhomoglyph';
import { foldText } from '../search/lexemes.ts';
import { editDistance } from '../search/similar.ts';

/** Characters that nobody sees, such as joiners and marks of direction. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
const NO_LETTERS = /[^\p{L}\p{N}\p{M}]/gu;
/** What is as alike in many fonts, beyond Unicode Technical Standard 39, and doubled letters. */
const SAME: readonly [RegExp, string][] = [
  [/[il1|]/g, 'l'],
  [/[o0]/g, 'o'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/(.)\1+/gu, '$1'],
];

/** Shorter names have too many neighbours. */
const NEAR_FROM = 5;
/** Longer ones are compared as they are: each letter is a key. */
const NEAR_TO = 64;

/**
 * What names have in common that look alike: the skeletons of Unicode Technical Standard 39, of the name in small and in
 * capital letters, as letters of two alphabets may look alike in one of these only. Width, accents, spaces and punctuation
 * count for nothing. Empty for a name without letters and digits.
 */
export function skeletonsOf(name: string): string[] {
  const folded = foldText(name).replace(UNSEEN, '');
  return [...new Set([folded, folded.toUpperCase()].map(skeletonOf))].filter((skeleton) => skeleton !== '');
}

function skeletonOf(text: string): string {
  const letters = unhomoglyph(text.normalize('NFD')).normalize('NFC').toLowerCase().replace(NO_LETTERS, '');
  return SAME.reduce((alike, [pattern, letter]) => alike.replace(pattern, letter), letters);
}

/**
 * A skeleton and, of longer ones, what remains without one letter: two are one edit apart only if they have a key in common.
 */
export function nearKeysOf(skeleton: string): string[] {
  const letters = [...skeleton];
  if (letters.length < NEAR_FROM || letters.length > NEAR_TO) return [skeleton];
  return [...new Set([skeleton, ...letters.map((_, at) => letters.toSpliced(at, 1).join(''))])];
}

/** Whether one of two skeletons can be mistaken for the other. */
export function areAlike(a: string, b: string): boolean {
  if (a === b) return true;
  const shortest = Math.min([...a].length, [...b].length);
  return shortest >= NEAR_FROM && editDistance(a, b, 1) <= 1;
}
