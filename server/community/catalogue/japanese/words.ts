import { hasKanji, kanaOf, soundOf } from '../search/kana.ts';
import type { Word } from './read-worker.ts';

/** How a word is read; a word that no dictionary knows may be written so. */
function kanaOfWord({ surface, reading }: Word): string | undefined {
  return kanaOf(reading ?? surface);
}

/**
 * How a name is read from each word on, as far as that is known: 文字置換 is モジチカン and チカン. Parts that are written in
 * kana are words of the name already.
 */
export function readingsOfName(words: readonly Word[]): string[] {
  const readings = words.flatMap((_, from) => {
    const rest = words.slice(from);
    const unknown = rest.findIndex((word) => kanaOfWord(word) === undefined);
    const known = unknown === -1 ? rest : rest.slice(0, unknown);
    if (!known.some(({ surface }) => hasKanji(surface))) return [];
    return soundOf(known.map(kanaOfWord).join('')) ?? [];
  });
  return [...new Set(readings)];
}

/** How all of a text is read; undefined where a word is not known. */
export function readingOf(words: readonly Word[]): string | undefined {
  const kana = words.map(kanaOfWord);
  return kana.includes(undefined) ? undefined : soundOf(kana.join(''));
}
