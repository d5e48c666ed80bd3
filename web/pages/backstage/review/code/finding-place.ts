import type { CodeFile } from '../../../../../shared/entities/backstage.ts';
import type { Finding } from '../../../../../shared/entities/finding.ts';
import { isLanguage, type Language } from '../../../../../shared/languages.ts';
import type { ListingPictureField, TextField } from '../listing/listing-fields.ts';

/** Pointers of a batch start with the item's index in the file. */
const MANIFEST = /^(?:\/\d+)?\/manifest(?<inside>\/.*)?$/s;

/** The tab that shows the place of a finding; undefined without one. */
export function tabOfFinding(finding: Finding): 'code' | 'listing' | undefined {
  if (isInCode(finding)) return 'code';
  return listingFieldOf(finding) && 'listing';
}

/** Whether a finding is about a file of the package, or about its manifest. */
export function isInCode({ file, pointer }: Finding): boolean {
  return file !== undefined || MANIFEST.test(pointer);
}

/** Whether a finding is about this file; a file that is named like the manifest is another one. */
export function isAbout(
  { kind, name }: Pick<CodeFile, 'kind' | 'name'>,
  { file, pointer }: Finding,
): boolean {
  if (file !== undefined) return kind === 'file' && name === file;
  return kind === 'manifest' && MANIFEST.test(pointer);
}

/** Line, from 1, of a finding in that file as shown; 1 without a position. */
export function lineOfFinding({ after }: Pick<CodeFile, 'after'>, finding: Finding): number {
  if (finding.file !== undefined) return finding.line ?? 1;
  return lineOfPointer(after ?? '', MANIFEST.exec(finding.pointer)?.groups?.inside ?? '');
}

const MARK = '\u{fffc}at';

/**
 * Line of a JSON pointer in the output of `JSON.stringify` with indentation; of the nearest ancestor for a missing
 * value.
 */
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

/** The listing field of a finding; `listing` is the whole. */
type ListingField = {
  field: TextField['field'] | ListingPictureField['field'] | 'media' | 'version_note' | 'listing';
  lang: Language | undefined;
};

/** Fields by their names in packages and forms. */
const FIELDS: ReadonlyMap<string, ListingField['field']> = new Map([
  ['name', 'name'],
  ['intro', 'intro'],
  ['description', 'description'],
  ['tags', 'tags'],
  ['contact', 'contact'],
  ['support', 'support'],
  ['description_format', 'description_format'],
  ['descriptionFormat', 'description_format'],
  ['license', 'license'],
  ['home_page', 'home_page'],
  ['homePage', 'home_page'],
  ['source_url', 'source_url'],
  ['source', 'source_url'],
  ['issues_url', 'issues_url'],
  ['issues', 'issues_url'],
  ['data_collected', 'data_collected'],
  ['dataCollected', 'data_collected'],
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
/** Pointers of a batch start with the item's index in the file. */
const POINTER = /^(?:\/\d+)?(?<packaged>\/listing)?(?:\/(?<name>[^/]+)(?:\/(?<inside>[^/]+))?|$)/;

/** The place of a finding in the listing; undefined for other findings. */
export function listingFieldOf({ file, pointer }: Finding): ListingField | undefined {
  if (file !== undefined) return undefined;
  const { packaged, name = '', inside = '' } = POINTER.exec(pointer)?.groups ?? {};
  const field = FIELDS.get(name) ?? (packaged === undefined ? undefined : 'listing');
  return field && { field, lang: isLanguage(inside) ? inside : undefined };
}

/**
 * The text row of a finding: the one of its language, else the first with text, else the one of the default language.
 */
export function textRowOfFinding(
  rows: readonly TextField[],
  { field, lang }: ListingField,
  defaultLang: Language,
): TextField | undefined {
  const own = rows.filter((row) => row.field === field);
  const of = (wanted: Language) => own.find((row) => row.lang === wanted);
  if (lang) return of(lang);
  return own.find(({ after }) => after !== '') ?? of(defaultLang) ?? own[0];
}
