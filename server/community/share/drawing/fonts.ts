import { readFile } from 'node:fs/promises';
import { create, type Font } from 'fontkit';
import { decompress } from 'wawoff2';
import type { Language } from '../../../../shared/languages.ts';

type Family = 'sc' | 'jp' | 'kr';
type Ranges = readonly (readonly [first: number, last: number])[];
type Subset = { file: URL; ranges: Ranges };

/** The same character looks different in Chinese and Japanese; only the Korean font has quotes of Western width. */
const FAMILIES: Readonly<Record<Language, readonly Family[]>> = {
  'zh-CN': ['sc', 'jp', 'kr'],
  'ja-JP': ['jp', 'sc', 'kr'],
  'ko-KR': ['kr', 'sc', 'jp'],
  'en-US': ['kr', 'sc', 'jp'],
  'ru-RU': ['kr', 'sc', 'jp'],
  'es-ES': ['kr', 'sc', 'jp'],
};

export const BOLD = 700;
export const REGULAR = 400;
export type Weight = typeof BOLD | typeof REGULAR;

/** Subsets that stay open; a card needs a handful. */
const OPEN_MAX = 40;

/** The font to draw a character in, or none when no font here has it. */
export type FontOf = (character: string) => Promise<Font | undefined>;

export type Fonts = (language: Language, weight: Weight) => FontOf;

/**
 * Fonts by language and weight, from the packages' files: a drawing looks the same on every machine, also on one
 * without any font. Each file holds some hundred characters and is opened when one of them is drawn.
 */
export function openFonts(): Fonts {
  const subsets = new Map<Family, Promise<Subset[]>>();
  const opened = new Map<string, Promise<Font>>();

  function subsetsOf(family: Family): Promise<Subset[]> {
    const known = subsets.get(family) ?? readSubsets(family);
    subsets.set(family, known);
    return known;
  }
  function open(file: URL, weight: Weight): Promise<Font> {
    const key = `${weight} ${file}`;
    const font = opened.get(key) ?? readFont(file, weight);
    opened.delete(key);
    opened.set(key, font);
    const [oldest] = opened.keys();
    if (opened.size > OPEN_MAX && oldest !== undefined) opened.delete(oldest);
    return font;
  }
  async function find(language: Language, weight: Weight, character: string): Promise<Font | undefined> {
    const codePoint = character.codePointAt(0) ?? 0;
    for (const family of FAMILIES[language]) {
      const subset = (await subsetsOf(family)).find(({ ranges }) => holds(ranges, codePoint));
      const font = subset && (await open(subset.file, weight));
      if (font?.hasGlyphForCodePoint(codePoint)) return font;
    }
    return undefined;
  }

  return (language, weight) => {
    const found = new Map<string, Promise<Font | undefined>>();
    return (character) => {
      const known = found.get(character) ?? find(language, weight, character);
      found.set(character, known);
      return known;
    };
  };
}

function holds(ranges: Ranges, codePoint: number): boolean {
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}

async function readSubsets(family: Family): Promise<Subset[]> {
  const name = `noto-sans-${family}`;
  const index = new URL(import.meta.resolve(`@fontsource-variable/${name}/unicode.json`));
  const ranges: Record<string, string> = JSON.parse(await readFile(index, 'utf8'));
  return Object.entries(ranges).map(([subset, text]) => ({
    file: new URL(`files/${name}-${subset.replace(/[[\]]/g, '')}-wght-normal.woff2`, index),
    ranges: text.split(',').map(rangeOf),
  }));
}

/** A range as CSS writes it: `U+4e00-4eff` or `U+20`. */
function rangeOf(text: string): [number, number] {
  const [first = '', last = first] = text.replace('U+', '').split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
}

async function readFont(file: URL, weight: Weight): Promise<Font> {
  const font = create(Buffer.from(await decompress(await readFile(file))));
  if (!('getVariation' in font)) throw new TypeError(`${file} holds more than one font`);
  return font.getVariation({ wght: weight });
}
