import { LANGUAGES } from '../../shared/languages.ts';
import { brandOf, commonWords, languagesOf } from '../data/texts.ts';
import type { PlannedRequest } from './arrivals.ts';

/** Pseudo-random numbers from 0 to 1 (mulberry32), so that every run sends the same requests. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Shares of searches for one common word, two words and a prefix; the rest are names of single plugins. */
const ONE_WORD = 0.8;
const TWO_WORDS = 0.1;
const BEGINNING = 0.05;

/** Searches in six languages: mostly the same common words, with a long tail of one fifth. */
export function searchMix(random: () => number, plugins: number): () => PlannedRequest {
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const brand = (): string => {
    const n = 1 + Math.floor(random() * plugins);
    return languagesOf(n).flatMap((language) => brandOf(n, language) ?? [])[0] ?? brand();
  };
  return () => {
    const language = LANGUAGES[Math.floor(random() * LANGUAGES.length)] ?? 'en-US';
    const words = commonWords(language);
    const share = random();
    let keyword = pick(words);
    if (share >= ONE_WORD + TWO_WORDS + BEGINNING) keyword = brand();
    else if (share >= ONE_WORD + TWO_WORDS) keyword = keyword.slice(0, 2);
    else if (share >= ONE_WORD) keyword = `${keyword} ${pick(words)}`;
    return {
      path: `/api/cmt/plugin/list?${new URLSearchParams({ limit: '24', keyword })}`,
      headers: { 'accept-language': language, 'x-requested-with': 'plugin-square' },
    };
  };
}
