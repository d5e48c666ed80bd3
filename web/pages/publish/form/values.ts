import inc from 'semver/functions/inc.js';
import { DATA_KINDS, type DESCRIPTION_FORMATS } from '../../../../shared/constants.ts';
import type { DataCollected } from '../../../../shared/entities/plugin.ts';
import type { EditablePlugin, VersionKind } from '../../../../shared/entities/review.ts';
import { LANGUAGES, type Language, type Texts } from '../../../../shared/languages.ts';

/** The form's values apart from files: the fields of R 5.2. */
export type PublishValues = {
  default_lang: Language;
  name: Texts;
  intro: Texts;
  description: Texts;
  description_format: (typeof DESCRIPTION_FORMATS)[number];
  support: Texts;
  tags: string[];
  contact: string;
  license: string;
  home_page: string;
  source_url: string;
  issues_url: string;
  /** Null as long as the publisher says nothing about it. */
  data_collected: DataCollected | null;
  copyright_kind: 'author' | 'custom';
  copyright_holder: string;
  plugin_mark: string;
  /** Number of the new version. */
  version: string;
  version_kind: VersionKind;
  version_note: Texts;
};

export type ValueName = keyof PublishValues;

/** All of them, in the order of the form; the version's are last. */
export const VALUE_NAMES = [
  'default_lang',
  'name',
  'intro',
  'description',
  'description_format',
  'support',
  'tags',
  'contact',
  'license',
  'home_page',
  'source_url',
  'issues_url',
  'data_collected',
  'copyright_kind',
  'copyright_holder',
  'plugin_mark',
  'version',
  'version_kind',
  'version_note',
] as const satisfies readonly ValueName[];

/** Translated fields. */
export const LISTING_TEXTS = ['name', 'intro', 'description', 'support'] as const;
export type TextsName = (typeof LISTING_TEXTS)[number] | 'version_note';

/** Whether a translated field may be empty in every language. */
export function isOptional(name: TextsName): boolean {
  return name === 'support';
}

/** First version of a new plugin, unless its package has another. */
export const FIRST_VERSION = '1.0.0';

export function emptyValues(language: Language): PublishValues {
  return {
    default_lang: language,
    name: {},
    intro: {},
    description: {},
    description_format: 'plain',
    support: {},
    tags: [],
    contact: '',
    license: '',
    home_page: '',
    source_url: '',
    issues_url: '',
    data_collected: null,
    copyright_kind: 'author',
    copyright_holder: '',
    plugin_mark: '',
    version: FIRST_VERSION,
    version_kind: 'new',
    version_note: {},
  };
}

/**
 * Values of an existing plugin. For a new version, its number is suggested and its kind and note are empty; else they
 * are those of the last submitted version.
 */
export function editableValues(plugin: EditablePlugin, includesVersion: boolean): PublishValues {
  const { listing, version, version_kind, version_note, last_version } = plugin;
  const { copyright } = listing;
  return {
    default_lang: listing.default_lang,
    name: listing.name,
    intro: listing.intro,
    description: listing.description,
    description_format: listing.description_format ?? 'plain',
    support: listing.support,
    tags: listing.tags,
    contact: listing.contact,
    license: listing.license ?? '',
    home_page: listing.home_page ?? '',
    source_url: listing.source_url ?? '',
    issues_url: listing.issues_url ?? '',
    data_collected: listing.data_collected ?? null,
    copyright_kind: copyright.kind,
    copyright_holder: copyright.kind === 'custom' ? copyright.holder : '',
    plugin_mark: listing.plugin_mark,
    ...(includesVersion
      ? { version: suggestedVersion(last_version, 'new'), version_kind: 'new', version_note: {} }
      : { version, version_kind, version_note }),
  };
}

const RELEASES = { new: 'minor', fixed: 'patch' } as const;

/** The number after `last`: the next minor for a feature, the next patch for a fix. */
export function suggestedVersion(last: string | undefined, kind: VersionKind): string {
  return (last === undefined ? null : inc(last, RELEASES[kind])) ?? FIRST_VERSION;
}

/** Applies the changes since `before` to the current plugin. */
export function rebased(mine: PublishValues, before: PublishValues, now: PublishValues): PublishValues {
  const names = changedNames(mine, before);
  const { description_format } = names.includes('description') ? mine : now;
  return { ...now, ...pick(mine, names), description_format };
}

/** Fields whose values differ; a description with its format, which plain text need not name. */
export function changedNames(one: PublishValues, other: PublishValues): ValueName[] {
  return withFormat(
    VALUE_NAMES.filter((name) => !isSame(one[name], other[name])),
    one,
  );
}

/** The names of fields to send, with the format beside the description that it belongs to. */
export function withFormat(
  names: readonly ValueName[],
  { description_format: format }: PublishValues,
): ValueName[] {
  const isDescribed = names.includes('description') || names.includes('description_format');
  return VALUE_NAMES.filter((name) => {
    if (name === 'description') return isDescribed;
    if (name === 'description_format') return isDescribed && format === 'markdown';
    return names.includes(name);
  });
}

export function pick(values: PublishValues, names: readonly ValueName[]): Partial<PublishValues> {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

/** The texts with one changed; an empty one is removed. */
export function withText(texts: Texts, language: Language, text: string): Texts {
  const { [language]: _before, ...others } = texts;
  return text === '' ? others : { ...others, [language]: text };
}

/** The texts to send: trimmed, without empty ones. */
export function trimmedTexts(texts: Texts): Texts {
  return Object.fromEntries(
    LANGUAGES.map((language) => [language, (texts[language] ?? '').trim()] as const).filter(
      ([, text]) => text !== '',
    ),
  );
}

/** Parses what is collected from a draft or a package; null if it says nothing of it. */
export function collectedOf(stored: unknown): DataCollected | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { kinds, other }: { kinds?: unknown; other?: unknown } = stored;
  if (!Array.isArray(kinds) || typeof other !== 'object' || other === null) return null;
  const texts: Readonly<Record<string, unknown>> = { ...other };
  return {
    kinds: DATA_KINDS.filter((kind) => kinds.includes(kind)),
    other: Object.fromEntries(
      LANGUAGES.flatMap((language) => {
        const text = texts[language];
        return typeof text === 'string' ? [[language, text]] : [];
      }),
    ),
  };
}

/** How many of the translated fields have a text in a language; an optional one may be missing. */
export function filledIn(
  values: PublishValues,
  names: readonly TextsName[],
  language: Language,
): 'none' | 'some' | 'all' {
  const empty = names.filter((name) => (values[name][language] ?? '').trim() === '');
  if (empty.length === names.length) return 'none';
  return empty.every(isOptional) ? 'all' : 'some';
}

/** Deep equality; the order of an object's keys doesn't count. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));
}

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
