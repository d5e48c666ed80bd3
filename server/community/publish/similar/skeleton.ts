import { foldName } from '../../search/lexemes.ts';

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
export function asLatin(name: string): string {
  return replaced(foldName(name), (letter) => LOOKALIKES[letter]);
}

/** A name with every Latin letter that looks like a Cyrillic one written as that. */
export function asCyrillic(name: string): string {
  return replaced(foldName(name), (letter) => CYRILLIC.get(letter));
}

/** Two names of one skeleton look alike: neither script, width, case, spaces nor marks tell them apart. */
export function skeletonOf(name: string): string {
  const letters = asLatin(name).replace(/[^\p{L}\p{N}]/gu, '');
  return SAME.reduce((text, [pattern, letter]) => text.replace(pattern, letter), letters);
}
