import type { VersionKind } from '../../../../shared/entities/review.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';

/** What the form holds beside its files: the plugin editing fields of specification section 3. */
export type PublishValues = {
  default_lang: Language;
  name: Texts;
  intro: Texts;
  description: Texts;
  /** Codes of tags. */
  tags: string[];
  contact: string;
  support: string;
  copyright_kind: 'author' | 'custom';
  copyright_holder: string;
  plugin_mark: string;
  /** Number of the version that is being brought. */
  version: string;
  version_kind: VersionKind;
  version_note: Texts;
};

export type ValueName = keyof PublishValues;

/** Fields that are written once per language. */
export const LISTING_TEXTS = ['name', 'intro', 'description'] as const;
export type TextsName = (typeof LISTING_TEXTS)[number] | 'version_note';

/** The version a new plugin begins with, unless its package says another. */
export const FIRST_VERSION = '1.0.0';

/** A form nobody has written in yet. */
export function emptyValues(language: Language): PublishValues {
  return {
    default_lang: language,
    name: {},
    intro: {},
    description: {},
    tags: [],
    contact: '',
    support: '',
    copyright_kind: 'author',
    copyright_holder: '',
    plugin_mark: '',
    version: FIRST_VERSION,
    version_kind: 'new',
    version_note: {},
  };
}
