import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { EditablePlugin } from '../../../shared/entities/review.ts';
import { isLanguage, LANGUAGES, type Language, type Texts } from '../../../shared/languages.ts';
import { lastingStorage, type TabStorage } from '../../api/tab-storage.ts';
import { keptFiles, NO_FILES, type PublishFiles } from './files/files.ts';
import { type Filled, readFilled } from './values/package-values.ts';
import { editableValues, emptyValues, type PublishValues } from './values/values.ts';

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

/** Where a user's draft of a plugin is kept; of a new one without a key. */
export function draftKey(userId: number, pluginKey: string | undefined): string {
  return `plugin-square:draft:${userId}:${pluginKey ?? 'new'}`;
}

/** The draft kept under a key; undefined when there is none that can be read. */
export function readDraft(storage: TabStorage, key: string): Draft | undefined {
  try {
    return draftOf(JSON.parse(storage.getItem(key) ?? 'null'));
  } catch {
    return undefined;
  }
}

/** Keeps a draft; a browser that has no room, or keeps nothing, goes without. */
export function keepDraft(storage: TabStorage, key: string, draft: Draft): boolean {
  try {
    storage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(storage: TabStorage, key: string): void {
  try {
    storage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to drop.
  }
}

/** What an earlier version of this page, or a program, has written there is taken as far as it fits. */
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

/** What a form begins with. */
type Start = {
  values: PublishValues;
  /** What of the values came from a package. */
  filled: Filled[];
  files: PublishFiles;
  /** What the plugin is like; absent for a new one. */
  original: { values: PublishValues; files: PublishFiles } | undefined;
  bringsVersion: boolean;
  /** A draft whose texts are in `values`, or (`isOlder`) one that was made on an earlier state and waits to be asked for. */
  draft: { draft: Draft; isOlder: boolean } | undefined;
};

type StartFacts = {
  plugin: EditablePlugin | undefined;
  wantsVersion: boolean;
  language: Language;
  draft: Draft | undefined;
};

/** Begins with the draft where there is one that fits, else with the plugin, else with nothing. */
export function startOf({ plugin, wantsVersion, language, draft }: StartFacts): Start {
  const isOlder = draft !== undefined && draft.based_on !== (plugin?.submission_id ?? null);
  const taken = isOlder ? undefined : draft;
  const bringsVersion = plugin === undefined || wantsVersion || taken?.brings_version === true;
  const files = plugin ? keptFiles(plugin.listing) : NO_FILES;
  const original = plugin && { values: editableValues(plugin, bringsVersion), files };
  const fits = taken && (plugin === undefined || taken.brings_version === bringsVersion);
  return {
    values: fits ? taken.values : (original?.values ?? emptyValues(language)),
    filled: fits ? taken.filled : [],
    files,
    original,
    bringsVersion,
    draft: draft && (isOlder || fits) ? { draft, isOlder } : undefined,
  };
}

/** How long nothing changes before the draft is written down. */
const PAUSE_MS = 400;

type DraftFacts = {
  key: string;
  /** What is to be kept; undefined when there is nothing that would be lost. */
  content: Omit<Draft, 'saved_at'> | undefined;
  /** The form began with a draft, taken or waiting to be asked for. */
  hasDraft: boolean;
  /** The user has not decided yet what to do with an older draft: it stays. */
  isOnHold: boolean;
  now: () => number;
};

/**
 * Keeps what is written in the form in this browser, soon after every change and when the page is left. A form that has
 * changed nothing writes and removes nothing: the draft may be another tab's.
 * @returns true once it is kept
 */
export function useDraft({ key, content, hasDraft, isOnHold, now }: DraftFacts): boolean {
  const [isKept, setIsKept] = useState(false);
  const written = JSON.stringify(content);
  /** What this form knows to be kept: an empty text is a draft that it has not taken. */
  const last = useRef(hasDraft ? (written ?? '') : undefined);
  const write = useEffectEvent((): boolean => {
    if (isOnHold) return false;
    if (written === last.current) return content !== undefined;
    last.current = written;
    if (content) return keepDraft(lastingStorage(), key, { ...content, saved_at: now() });
    dropDraft(lastingStorage(), key);
    return false;
  });
  useEffect(() => {
    const timer = setTimeout(() => setIsKept(write()), written === undefined ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [written]);
  useEffect(() => {
    const leave = (): void => {
      write();
    };
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  return isKept;
}
