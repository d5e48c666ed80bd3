import type { LISTING_LINKS } from '../../../../shared/constants.ts';
import type { EditablePlugin } from '../../../../shared/entities/review.ts';
import { isLanguage, LANGUAGES, type Language, type Texts } from '../../../../shared/languages.ts';
import type { TabStorage } from '../../../api/tab-storage.ts';
import { NO_FILES, storedFiles } from './files.ts';
import { createForm, type Draft, type FormState } from './form-state.ts';
import { readFilled } from './package-values.ts';
import { collectedOf, editableValues, emptyValues, type PublishValues, withText } from './values.ts';

/** Storage key of a user's draft of a plugin; without a plugin key, of a new one. */
export function draftKey(userId: number, pluginKey: string | undefined): string {
  return `plugin-square:draft:${userId}:${pluginKey ?? 'new'}`;
}

/** Reads the draft under a key; undefined when there is none or it is invalid. */
export function readDraft(storage: TabStorage, key: string): Draft | undefined {
  try {
    return draftOf(JSON.parse(storage.getItem(key) ?? 'null'));
  } catch {
    return undefined;
  }
}

/** Stores a draft, unless the browser has no space or no storage. */
export function storeDraft(storage: TabStorage, key: string, draft: Draft): boolean {
  try {
    storage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function deleteDraft(storage: TabStorage, key: string): void {
  try {
    storage.removeItem(key);
  } catch {
    // Without storage there is nothing to delete.
  }
}

/** Validates stored data: an earlier version of this page, or other code, may have written anything. */
function draftOf(stored: unknown): Draft | undefined {
  if (!isObject(stored) || typeof stored.saved_at !== 'number' || !isObject(stored.values)) return undefined;
  return {
    saved_at: stored.saved_at,
    values: valuesOf(stored.values),
    filled: readFilled(stored.filled),
    file_names: textsOfList(stored.file_names),
    based_on: typeof stored.based_on === 'number' ? stored.based_on : null,
    brings_version: stored.brings_version === true,
  };
}

function valuesOf(stored: Record<string, unknown>): PublishValues {
  const lang =
    typeof stored.default_lang === 'string' && isLanguage(stored.default_lang)
      ? stored.default_lang
      : 'en-US';
  const empty = emptyValues(lang);
  const text = (
    name:
      | 'contact'
      | 'copyright_holder'
      | 'plugin_mark'
      | 'version'
      | 'license'
      | (typeof LISTING_LINKS)[number],
  ): string => {
    const value = stored[name];
    return typeof value === 'string' ? value : empty[name];
  };
  return {
    default_lang: lang,
    name: textsOf(stored.name),
    intro: textsOf(stored.intro),
    description: textsOf(stored.description),
    description_format: stored.description_format === 'markdown' ? 'markdown' : 'plain',
    // Drafts of earlier releases have one text.
    support:
      typeof stored.support === 'string' ? withText({}, lang, stored.support) : textsOf(stored.support),
    version_note: textsOf(stored.version_note),
    tags: textsOfList(stored.tags),
    contact: text('contact'),
    license: text('license'),
    home_page: text('home_page'),
    source_url: text('source_url'),
    issues_url: text('issues_url'),
    data_collected: collectedOf(stored.data_collected),
    copyright_kind: stored.copyright_kind === 'custom' ? 'custom' : 'author',
    copyright_holder: text('copyright_holder'),
    plugin_mark: text('plugin_mark'),
    version: text('version'),
    version_kind: stored.version_kind === 'fixed' ? 'fixed' : 'new',
  };
}

function textsOf(stored: unknown): Texts {
  if (!isObject(stored)) return {};
  return Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const text = stored[language];
      return typeof text === 'string' ? [[language, text]] : [];
    }),
  );
}

function textsOfList(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type StartOptions = {
  /** The edited plugin; absent for a new one. */
  plugin: EditablePlugin | undefined;
  /** Opened to submit a new version. */
  startsWithVersion: boolean;
  language: Language;
  draft: Draft | undefined;
};

/** The form starts with the draft if that is up to date, else with the plugin, else empty. */
export function startOf({ plugin, startsWithVersion, language, draft }: StartOptions): FormState {
  const isOlder = draft !== undefined && draft.based_on !== (plugin?.submission_id ?? null);
  const taken = isOlder ? undefined : draft;
  const includesVersion = plugin === undefined || startsWithVersion || taken?.brings_version === true;
  const files = plugin ? storedFiles(plugin.listing) : NO_FILES;
  const original = plugin && { values: editableValues(plugin, includesVersion), files };
  const fits = taken && (plugin === undefined || taken.brings_version === includesVersion);
  return createForm({
    plugin,
    original,
    includesVersion,
    files,
    values: fits ? taken.values : (original?.values ?? emptyValues(language)),
    filled: fits ? taken.filled : [],
    draft: draft && (isOlder || fits) ? { draft, isOlder } : undefined,
  });
}
