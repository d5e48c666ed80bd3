import { tokenDifference } from './token-difference.ts';

/** A stretch of text: in both, only before, or only after. */
export type Piece = { kind: 'same' | 'removed' | 'added'; text: string };

/**
 * What changed between two texts, word by word: also in scripts that put no space between words.
 * @param lang BCP 47 tag of both texts
 */
export function wordDifference(before: string, after: string, lang: string): Piece[] {
  const segmenter = new Intl.Segmenter(lang, { granularity: 'word' });
  const wordsOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);
  const [beforeWords, afterWords] = [wordsOf(before), wordsOf(after)];
  const whole = { fromA: 0, toA: beforeWords.length, fromB: 0, toB: afterWords.length };
  const pieces: Piece[] = [];
  const put = (kind: Piece['kind'], words: string[]): void => {
    if (words.length > 0) pieces.push({ kind, text: words.join('') });
  };
  let at = 0;
  for (const { fromA, toA, fromB, toB } of tokenDifference(beforeWords, afterWords) ?? [whole]) {
    put('same', afterWords.slice(at, fromB));
    put('removed', beforeWords.slice(fromA, toA));
    put('added', afterWords.slice(fromB, toB));
    at = toB;
  }
  put('same', afterWords.slice(at));
  return pieces;
}
