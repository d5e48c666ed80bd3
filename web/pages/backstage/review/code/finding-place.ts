import type { CodeFile } from '../../../../../shared/entities/backstage.ts';
import type { Finding } from '../../../../../shared/entities/finding.ts';
import { isLanguage, type Language } from '../../../../../shared/languages.ts';
import type { PictureField, TextField } from '../listing/listing-fields.ts';

/** Under this name the manifest stands among the files under review. */
const MANIFEST_NAME = 'manifest.json';
/** Items of a batch begin with their place in the file. */
const MANIFEST = /^(?:\/\d+)?\/manifest(?<inside>\/.*)?$/s;

/** Which part of the view shows what a finding is about; undefined where none does. */
export function partOf(finding: Finding): 'code' | 'listing' | undefined {
  if (fileOf(finding) !== undefined) return 'code';
  return listingPlaceOf(finding) && 'listing';
}

/** File under review that a finding is about, if it is about one. */
export function fileOf({ file, pointer }: Finding): string | undefined {
  return file ?? (MANIFEST.test(pointer) ? MANIFEST_NAME : undefined);
}

/** Line, from 1, of that file as it is shown; its first one where the finding names none. */
export function lineIn({ after }: Pick<CodeFile, 'after'>, finding: Finding): number {
  if (finding.file !== undefined) return finding.line ?? 1;
  return lineOfPointer(after ?? '', MANIFEST.exec(finding.pointer)?.groups?.inside ?? '');
}

const MARK = '\u{fffc}at';

/** Line of a JSON pointer in a text that `JSON.stringify` has indented; of the nearest value around what is not there. */
function lineOfPointer(text: string, pointer: string): number {
  const root = parsed(text);
  if (!isParent(root)) return 1;
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  let parent = root;
  let last: string | undefined;
  let holder: Record<string, unknown> | undefined;
  for (const key of keys) {
    if (!Object.hasOwn(parent, key)) break;
    holder = parent;
    last = key;
    const value = parent[key];
    if (!isParent(value)) break;
    parent = value;
  }
  if (!holder || last === undefined) return 1;
  holder[last] = MARK;
  const before = JSON.stringify(root, null, 2).split(MARK)[0] ?? '';
  return before.split('\n').length;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isParent(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** What of the listing a finding is about; `listing` is all of it. */
type ListingPlace = {
  field: TextField['field'] | PictureField['field'] | 'media' | 'version_note' | 'listing';
  lang: Language | undefined;
};

/** Fields by the names that packages and forms have for them. */
const FIELDS: ReadonlyMap<string, ListingPlace['field']> = new Map([
  ['name', 'name'],
  ['intro', 'intro'],
  ['description', 'description'],
  ['tags', 'tags'],
  ['contact', 'contact'],
  ['support', 'support'],
  ['copyright', 'copyright'],
  ['copyright_kind', 'copyright'],
  ['copyright_holder', 'copyright'],
  ['plugin_mark', 'mark'],
  ['default_lang', 'default_lang'],
  ['defaultLanguage', 'default_lang'],
  ['icon', 'icon'],
  ['cover', 'cover'],
  ['panel', 'panel'],
  ['media', 'media'],
  ['media_order', 'media'],
  ['version', 'version_note'],
  ['version_kind', 'version_note'],
  ['version_note', 'version_note'],
  ['versionNote', 'version_note'],
]);
/** Items of a batch begin with their place in the file. */
const POINTER = /^(?:\/\d+)?(?<packaged>\/listing)?(?:\/(?<name>[^/]+)(?:\/(?<inside>[^/]+))?|$)/;

/** Where in the listing a finding stands; undefined where it is about something else. */
export function listingPlaceOf({ file, pointer }: Finding): ListingPlace | undefined {
  if (file !== undefined) return undefined;
  const { packaged, name = '', inside = '' } = POINTER.exec(pointer)?.groups ?? {};
  const field = FIELDS.get(name) ?? (packaged === undefined ? undefined : 'listing');
  return field && { field, lang: isLanguage(inside) ? inside : undefined };
}

/**
 * The row of a text that a finding is about: the one of its language, else the first that says something, else the one
 * of the default language.
 */
export function soughtText(
  rows: readonly TextField[],
  { field, lang }: ListingPlace,
  defaultLang: Language,
): TextField | undefined {
  const own = rows.filter((row) => row.field === field);
  const of = (wanted: Language) => own.find((row) => row.lang === wanted);
  if (lang) return of(lang);
  return own.find(({ after }) => after !== '') ?? of(defaultLang) ?? own[0];
}
