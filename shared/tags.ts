import { ALL_TAG_CODE } from './constants.ts';

/** A tag with its code, and its names in all languages. */
export type NamedTag = { code: string; names: readonly string[] };

/** A tag's code or name in addresses, packages and command lines. */
export const TAG_CODE = '^[a-z0-9][a-z0-9_-]{0,39}$';

/** Finds the code of a tag by code, or else by name. Case, width and surrounding space are ignored. */
export function codeOfTag(tags: readonly NamedTag[], named: string): string | undefined {
  const wanted = foldedTag(named);
  const found =
    tags.find(({ code }) => code === named) ??
    tags.find(({ code }) => foldedTag(code) === wanted) ??
    tags.find(({ names }) => names.some((name) => foldedTag(name) === wanted));
  return found?.code;
}

/** Whether a code or name is used by a tag, or by the entry for all plugins. */
export function isTagTaken(tags: readonly NamedTag[], text: string): boolean {
  return foldedTag(text) === ALL_TAG_CODE || codeOfTag(tags, text) !== undefined;
}

function foldedTag(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase();
}
