const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
const LATIN = /^\p{Script=Latin}/u;

/**
 * The first grapheme of a name: with its accents, an emoji whole, upper case for Latin (R 11.17).
 * Undefined for a name without visible characters.
 */
export function avatarLetter(name: string): string | undefined {
  const letter = lettersOf(name).find((each) => VISIBLE.test(each));
  if (letter === undefined || !LATIN.test(letter)) return letter;
  const [upper] = lettersOf(letter.toUpperCase());
  return upper;
}

/** Firefox has no segmenter before version 125. */
function lettersOf(text: string): string[] {
  if (!('Segmenter' in Intl)) return [...text];
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}
