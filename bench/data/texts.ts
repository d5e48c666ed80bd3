import { readFileSync } from 'node:fs';
import { loadCatalogue } from '../../demo/catalogue.ts';
import { LANGUAGES, type Language } from '../../shared/languages.ts';
import { hash, pick, share } from './seeded.ts';

type Words = { qualities: string[][]; nouns: string[][]; syllables: string[]; makers: string[] };

const words: Words = JSON.parse(readFileSync(new URL('words.json', import.meta.url), 'utf8'));
/** Columns of the word lists. */
const COLUMNS: readonly Language[] = ['zh-CN', 'en-US', 'ja-JP', 'ko-KR', 'ru-RU', 'es-ES'];
const SPACED = new Set<Language>(['en-US', 'ko-KR', 'ru-RU', 'es-ES']);
const SYLLABLES = words.syllables.map((line) => line.split(' '));
/** Percentage of plugins with an invented brand word in their names. */
const BRANDED = 60;

/** Real texts of one language: intros and sentences of the demo catalogue. */
type Written = { intros: string[]; sentences: string[] };
const WRITTEN = new Map(LANGUAGES.map((language): [Language, Written] => [language, written(language)]));

function written(language: Language): Written {
  const { plugins } = loadCatalogue();
  const texts = plugins.flatMap(({ description }) => description[language] ?? []);
  const sentences = texts.flatMap((text) => text.split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u));
  return {
    intros: plugins.flatMap(({ intro }) => intro[language] ?? []),
    sentences: sentences.map((text) => text.trim()).filter((text) => text !== ''),
  };
}

function wordOf(list: readonly string[][], column: number, n: number, purpose: number): string {
  return pick(list, n, purpose)[column] ?? '';
}

/** The brand word in the name of a plugin, if it has one. */
export function brandOf(n: number, language: Language): string | undefined {
  if (hash(n, 20) % 100 >= BRANDED) return undefined;
  const column = COLUMNS.indexOf(language);
  const syllables = SYLLABLES[column] ?? [];
  const length = language === 'zh-CN' ? 2 : 3;
  const word = Array.from({ length }, (_, index) => pick(syllables, n, 21 + index)).join('');
  return SPACED.has(language) ? `${word[0]?.toUpperCase()}${word.slice(1)}` : word;
}

/** Name, intro and description of a plugin in a language. */
export function textsOf(n: number, language: Language): { name: string; intro: string; description: string } {
  const column = COLUMNS.indexOf(language);
  const { intros = [], sentences = [] } = WRITTEN.get(language) ?? {};
  const first = brandOf(n, language) ?? wordOf(words.qualities, column, n, 30);
  const name = [first, wordOf(words.nouns, column, n, 31)].join(SPACED.has(language) ? ' ' : '');
  const length = hash(n, 32) % 4 === 0 ? 2 : 1;
  const description = Array.from({ length }, (_, index) => pick(sentences, n, 33 + index));
  return { name, intro: pick(intros, n, 40), description: description.join(' ') };
}

/** Name of a publisher. */
export function makerOf(n: number): string {
  const syllables = SYLLABLES[1] ?? [];
  const word = [pick(syllables, n, 50), pick(syllables, n, 51), pick(syllables, n, 52)].join('');
  return `${word[0]?.toUpperCase()}${word.slice(1)} ${pick(words.makers, n, 53)}`;
}

/** Names of a tag in all languages, taken from the nouns. */
export function tagNamesOf(index: number): Record<string, string> {
  return Object.fromEntries(
    COLUMNS.map((language, column) => [language, words.nouns[index]?.[column] ?? '']),
  );
}

/** Common words of a language; each is in the name of one plugin in twenty-four with texts in it. */
export function commonWords(language: Language): string[] {
  const column = COLUMNS.indexOf(language);
  return words.nouns.map((noun) => noun[column] ?? '');
}

/** Languages of a plugin's texts, its default language first. */
export function languagesOf(n: number): Language[] {
  const own = ownLanguage(share(n, 60));
  const chosen = new Set<Language>([own]);
  if (share(n, 61) < 0.55) chosen.add('en-US');
  if (share(n, 62) < 0.25) chosen.add(pick(LANGUAGES, n, 63));
  if (share(n, 64) < 0.05) for (const language of LANGUAGES) chosen.add(language);
  return [...chosen];
}

function ownLanguage(at: number): Language {
  if (at < 0.4) return 'zh-CN';
  if (at < 0.63) return 'en-US';
  if (at < 0.74) return 'ja-JP';
  if (at < 0.83) return 'ko-KR';
  return at < 0.92 ? 'ru-RU' : 'es-ES';
}

/** The brand word of a plugin near the middle with texts in the language. */
export function rareWord(count: number, language: Language): string {
  for (let id = Math.floor(count / 2); id > 0; id -= 1) {
    const brand = languagesOf(id).includes(language) ? brandOf(id, language) : undefined;
    if (brand !== undefined) return brand;
  }
  throw new Error('no plugin has a rare word');
}
