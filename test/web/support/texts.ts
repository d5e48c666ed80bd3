import { readFileSync } from 'node:fs';
import compile from 'icu-minify/compile';
import type { Language } from '../../../shared/languages.ts';

type Texts = { [key: string]: string | Texts };

/** A language's texts as they stand in `locales/`, nested by namespace. */
export function packOf(language: Language): Texts {
  return JSON.parse(readFileSync(new URL(`../../../locales/${language}.json`, import.meta.url), 'utf8'));
}

function flat(texts: Texts, at = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[at + key, value]] : flat(value, `${at}${key}.`),
  );
}

/** A language's texts by their whole key, such as `home.heading`. */
export function textsOf(language: Language): Map<string, string> {
  return new Map(flat(packOf(language)));
}

/** Numbers that mark what a compiled message's part is, beside its name (icu-minify). */
const SELECT = 1;
const PLURAL = 2;
const ORDINAL = 3;

/** What a message is made of: the values it asks for, its tags, the cases of its plurals, and the words between. */
export type Parts = { values: Set<string>; tags: Set<string>; plurals: string[][]; words: string };

/** Takes a message apart. @throws when it is not valid ICU. */
export function partsOf(message: string): Parts {
  const parts: Parts = { values: new Set(), tags: new Set(), plurals: [], words: '' };
  read(compile(message), parts);
  return parts;
}

function read(node: unknown, parts: Parts): void {
  if (typeof node === 'string') parts.words += node;
  else if (Array.isArray(node)) for (const part of node) readPart(part, parts);
}

function readPart(part: unknown, parts: Parts): void {
  if (!Array.isArray(part)) {
    // A number stands where `#` stood.
    parts.words += typeof part === 'string' ? part : '#';
    return;
  }
  const [name, kind, cases] = part;
  if (part.length > 1 && !(typeof kind === 'number' && kind > 0)) {
    parts.tags.add(String(name));
    read(part.slice(1), parts);
    return;
  }
  parts.values.add(String(name));
  parts.words += '{}';
  if (kind !== SELECT && kind !== PLURAL && kind !== ORDINAL) return;
  if (kind !== SELECT) parts.plurals.push(Object.keys(cases));
  for (const said of Object.values(cases)) {
    parts.words += '\n';
    read(Array.isArray(said) || typeof said === 'string' ? said : [said], parts);
  }
}
