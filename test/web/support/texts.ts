import { readFileSync } from 'node:fs';
import compile from 'icu-minify/compile';
import type { Language } from '../../../shared/languages.ts';

type Texts = { [key: string]: string | Texts };

/** A language's texts as in `locales/`, nested by namespace. */
export function packOf(language: Language): Texts {
  return JSON.parse(readFileSync(new URL(`../../../locales/${language}.json`, import.meta.url), 'utf8'));
}

function flat(texts: Texts, at = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[at + key, value]] : flat(value, `${at}${key}.`),
  );
}

/** A language's texts by their full key, such as `home.heading`. */
export function textsOf(language: Language): Map<string, string> {
  return new Map(flat(packOf(language)));
}

/** The texts of a language's emails by their key, such as `mail.reset_text`. */
export function mailTextsOf(language: Language): Map<string, string> {
  const pack = new URL(`../../../locales/mail/${language}.json`, import.meta.url);
  return new Map(flat(JSON.parse(readFileSync(pack, 'utf8')), 'mail.'));
}

/** Type numbers of a compiled message's parts, beside its name (icu-minify). */
const SELECT = 1;
const PLURAL = 2;
const ORDINAL = 3;

/** Parts of a message: arguments, tags, plural cases, and plain text. */
export type Parts = { values: Set<string>; tags: Set<string>; plurals: string[][]; words: string };

/** Parses a message. @throws when it is not valid ICU. */
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
    // A number is in place of `#`.
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
