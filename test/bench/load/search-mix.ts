import { WORDS } from '../../support/many-plugins.ts';
import type { Asked } from './arrivals.ts';

/** The catalogue's words in the six languages of the product. */
export const SIX_LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  ...WORDS,
  'ko-KR': [
    '색상',
    '아이콘',
    '격자',
    '차트',
    '글자',
    '레이어',
    '동작',
    '내보내기',
    '표',
    '사진',
    '도형',
    '스타일',
  ],
  'es-ES': [
    ...['color', 'icono', 'cuadrícula', 'gráfico', 'texto', 'capa', 'movimiento', 'exportar', 'tabla'],
    ...['foto', 'forma', 'estilo'],
  ],
};

/** A number from 0 up to 1 that follows from the ones before (mulberry32), so that every run asks the same. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Shares of searches: one common word, two words, the beginning of a word; the rest is one plugin's own name. */
const ONE_WORD = 0.8;
const TWO_WORDS = 0.1;
const BEGINNING = 0.05;

/** What visitors of six languages search for, most of them the same common words: the long tail is a fifth. */
export function searchMix(random: () => number, plugins: number): () => Asked {
  const languages = Object.keys(SIX_LANGUAGES);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const nameOf = (language: string): string => {
    const n = Math.floor(random() * plugins);
    return `${language.slice(0, 2)}${n % 400}x${Math.floor(n / 400)}`;
  };
  return () => {
    const language = pick(languages);
    const words = SIX_LANGUAGES[language] ?? [];
    const share = random();
    let keyword = pick(words);
    if (share >= ONE_WORD + TWO_WORDS + BEGINNING) keyword = nameOf(language);
    else if (share >= ONE_WORD + TWO_WORDS) keyword = keyword.slice(0, 2);
    else if (share >= ONE_WORD) keyword = `${keyword} ${pick(words)}`;
    return {
      path: `/api/cmt/plugin/list?${new URLSearchParams({ limit: '24', keyword })}`,
      headers: { 'accept-language': language, 'x-requested-with': 'plugin-square' },
    };
  };
}
