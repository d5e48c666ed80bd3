import type { DATA_KINDS, DESCRIPTION_FORMATS } from '../../../../../shared/constants.ts';
import type { AuditDetail } from '../../../../../shared/entities/backstage.ts';
import type { Listing, MediaItem, Picture } from '../../../../../shared/entities/plugin.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language, type Texts } from '../../../../../shared/languages.ts';

const TRANSLATED = ['name', 'intro', 'description', 'support'] as const;
const PICTURES = ['icon', 'cover', 'panel'] as const;

/** Old and new text of a listing; `before` is undefined when nothing was approved yet. */
export type TextField = {
  field: (typeof TRANSLATED)[number] | (typeof PLAIN)[number][0];
  lang: Language | undefined;
  before: string | undefined;
  after: string;
};
export type ListingPictureField = {
  field: (typeof PICTURES)[number];
  before: Picture | null | undefined;
  after: Picture | null;
};

/** Names of tags and marks by code, and of formats and kinds of data. */
export type Named = Pick<AuditDetail, 'tag_names' | 'mark_names'> & {
  format_names: Readonly<Record<(typeof DESCRIPTION_FORMATS)[number], string>>;
  data_names: Readonly<Record<(typeof DATA_KINDS)[number] | 'nothing', string>>;
};

/** All texts of a listing, by language. */
export function textFields(before: Listing | undefined, after: Listing, names: Named): TextField[] {
  const translated = TRANSLATED.flatMap((field) =>
    LANGUAGES.map((lang) =>
      textField(field, lang, before && (before[field][lang] ?? ''), after[field][lang]),
    ),
  );
  const plain = ([...PLAIN] as const).map(([field, read]) =>
    textField(field, undefined, before && read(before, names), read(after, names)),
  );
  return [...translated, ...plain];
}

/** False if both sides are empty. */
export function hasText({ before = '', after }: TextField): boolean {
  return after !== '' || before !== '';
}

const PLAIN = [
  ['default_lang', (listing: Listing) => LANGUAGE_NAMES[listing.default_lang]],
  [
    'tags',
    ({ tags }: Listing, { tag_names }: Named) => tags.map((code) => tag_names[code] ?? code).join(', '),
  ],
  [
    'description_format',
    ({ description_format: format }: Listing, { format_names }: Named) =>
      format ? format_names[format] : '',
  ],
  ['contact', (listing: Listing) => listing.contact],
  ['license', (listing: Listing) => listing.license ?? ''],
  ['home_page', (listing: Listing) => listing.home_page ?? ''],
  ['source_url', (listing: Listing) => listing.source_url ?? ''],
  ['issues_url', (listing: Listing) => listing.issues_url ?? ''],
  ['data_collected', collectedText],
  ['copyright', ({ copyright: { kind, holder } }: Listing) => (kind === 'author' ? '' : holder)],
  ['mark', ({ plugin_mark }: Listing, { mark_names }: Named) => mark_names[plugin_mark] ?? plugin_mark],
] as const;

/** What is collected, a line for each kind and language. */
function collectedText({ data_collected: collected }: Listing, { data_names }: Named): string {
  if (!collected) return '';
  const lines = [
    ...collected.kinds.map((kind) => data_names[kind]),
    ...notesOf(collected.other).map(({ text }) => text),
  ];
  return lines.length > 0 ? lines.join('\n') : data_names.nothing;
}

function textField(
  field: TextField['field'],
  lang: Language | undefined,
  before: string | undefined,
  after = '',
): TextField {
  return { field, lang, before, after };
}

export function pictureFields(before: Listing | undefined, after: Listing): ListingPictureField[] {
  return PICTURES.map((field) => ({ field, before: before?.[field], after: after[field] }));
}

/** False if both sides are missing. */
export function hasPicture({ before = null, after }: ListingPictureField): boolean {
  return after !== null || before !== null;
}

export function isTextChanged({ before, after }: TextField): boolean {
  return before !== after;
}

export function isPictureChanged({ before, after }: ListingPictureField): boolean {
  return before?.key !== after?.key;
}

/** Identity of a picture or video, and whether it is shown as the *before* of another. */
export function mediaKey(item: MediaItem): string {
  if (item.kind === 'video') return item.url;
  return item.is_before ? `${item.picture.key} before` : item.picture.key;
}

export function isMediaChanged(
  before: readonly MediaItem[] | undefined,
  after: readonly MediaItem[],
): boolean {
  return before?.map(mediaKey).join() !== after.map(mediaKey).join();
}

/** The texts of a note in the order of the languages. */
export function notesOf(note: Texts): { lang: Language; text: string }[] {
  return LANGUAGES.flatMap((lang) => {
    const text = note[lang];
    return text ? [{ lang, text }] : [];
  });
}
