import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Language } from '../../../../shared/languages.ts';

const Group = Type.Record(Type.String(), Type.String());
const Texts = Type.Object({ removed: Group, home: Group, plugin: Group });
const texts = Compile(Texts);

/** The texts of feeds in each language on offer, from the language packs. */
export type FeedTexts = (language: Language) => Static<typeof Texts>;

/** Reads the language packs. */
export function feedTexts(languages: readonly Language[]): FeedTexts {
  const packs = new Map(languages.map((language) => [language, textsIn(language)]));
  return (language) => packs.get(language) ?? textsIn(language);
}

function textsIn(language: Language): Static<typeof Texts> {
  const file = new URL(`../../../../locales/${language}.json`, import.meta.url);
  return texts.Parse(JSON.parse(readFileSync(file, 'utf8')));
}
