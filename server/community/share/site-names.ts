import { readFile } from 'node:fs/promises';
import type { Language } from '../../../shared/languages.ts';

/** What the site calls itself in each language, from the packs of texts; each is read once. */
export function openSiteNames(): (language: Language) => Promise<string> {
  const names = new Map<Language, Promise<string>>();
  return (language) => {
    const known = names.get(language) ?? readName(language);
    names.set(language, known);
    return known;
  };
}

async function readName(language: Language): Promise<string> {
  const file = new URL(`../../../locales/${language}.json`, import.meta.url);
  const pack: { site: { name: string } } = JSON.parse(await readFile(file, 'utf8'));
  return pack.site.name;
}
