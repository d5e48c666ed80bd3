import { isLanguage, LANGUAGES, type Texts } from '../../../../shared/languages.ts';
import { type Filled, readFilled } from '../values/package-values.ts';
import { emptyValues, type PublishValues } from '../values/publish-values.ts';

/** What was written in the form and not sent yet, as this browser keeps it: no file, only what files were called. */
export type Draft = {
  /** Milliseconds since 1970. */
  saved_at: number;
  values: PublishValues;
  /** What of them came from a package. */
  filled: Filled[];
  /** Names of the files that were chosen. */
  file_names: string[];
  /** Submission the changes were made on; null for a new plugin. */
  based_on: number | null;
  brings_version: boolean;
};

/** Where a person's draft of a plugin is kept; of a new one without a key. */
export function draftKey(userId: number, pluginKey: string | undefined): string {
  return `plugin-square:draft:${userId}:${pluginKey ?? 'new'}`;
}

/** The draft kept under a key; undefined when there is none that can be read. */
export function readDraft(storage: Storage, key: string): Draft | undefined {
  try {
    return draftOf(JSON.parse(storage.getItem(key) ?? 'null'));
  } catch {
    return undefined;
  }
}

/** Keeps a draft; a browser that has no room, or keeps nothing, goes without. */
export function keepDraft(storage: Storage, key: string, draft: Draft): boolean {
  try {
    storage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(storage: Storage, key: string): void {
  try {
    storage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to drop.
  }
}

/** What an earlier version of this page, or somebody's hand, has written there is taken as far as it fits. */
function draftOf(kept: unknown): Draft | undefined {
  if (!isObject(kept) || typeof kept.saved_at !== 'number' || !isObject(kept.values)) return undefined;
  return {
    saved_at: kept.saved_at,
    values: valuesOf(kept.values),
    filled: readFilled(kept.filled),
    file_names: textsOfList(kept.file_names),
    based_on: typeof kept.based_on === 'number' ? kept.based_on : null,
    brings_version: kept.brings_version === true,
  };
}

function valuesOf(kept: Record<string, unknown>): PublishValues {
  const lang =
    typeof kept.default_lang === 'string' && isLanguage(kept.default_lang) ? kept.default_lang : 'en-US';
  const empty = emptyValues(lang);
  const text = (name: 'contact' | 'support' | 'copyright_holder' | 'plugin_mark' | 'version'): string => {
    const value = kept[name];
    return typeof value === 'string' ? value : empty[name];
  };
  return {
    default_lang: lang,
    name: textsOf(kept.name),
    intro: textsOf(kept.intro),
    description: textsOf(kept.description),
    version_note: textsOf(kept.version_note),
    tags: textsOfList(kept.tags),
    contact: text('contact'),
    support: text('support'),
    copyright_kind: kept.copyright_kind === 'custom' ? 'custom' : 'author',
    copyright_holder: text('copyright_holder'),
    plugin_mark: text('plugin_mark'),
    version: text('version'),
    version_kind: kept.version_kind === 'fixed' ? 'fixed' : 'new',
  };
}

function textsOf(kept: unknown): Texts {
  if (!isObject(kept)) return {};
  return Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const text = kept[language];
      return typeof text === 'string' ? [[language, text]] : [];
    }),
  );
}

function textsOfList(kept: unknown): string[] {
  return Array.isArray(kept) ? kept.filter((item) => typeof item === 'string') : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
