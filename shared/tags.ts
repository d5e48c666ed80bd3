import { ALL_TAG_CODE } from './constants.ts';

/** A tag as it may be named: by its code, or by what it is called in any language. */
export type NamedTag = { code: string; names: readonly string[] };

/** What addresses, packages and command lines say for a tag. */
export const TAG_CODE = '^[a-z0-9][a-z0-9_-]{0,39}$';

/** Code of the tag that is named; a code counts before a name. Case, width and space around make no difference. */
export function codeOfTag(tags: readonly NamedTag[], named: string): string | undefined {
  const wanted = foldedTag(named);
  const found =
    tags.find(({ code }) => code === named) ??
    tags.find(({ code }) => foldedTag(code) === wanted) ??
    tags.find(({ names }) => names.some((name) => foldedTag(name) === wanted));
  return found?.code;
}

/** Whether a code or name belongs to a tag already, or to the entry that stands for all plugins. */
export function isTagTaken(tags: readonly NamedTag[], text: string): boolean {
  return foldedTag(text) === ALL_TAG_CODE || codeOfTag(tags, text) !== undefined;
}

function foldedTag(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase();
}
