import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocale } from 'use-intl';
import { lastingStorage } from '../../../api/tab-storage.ts';
import { deleteDraft, storeDraft } from './draft.ts';
import { chosenFiles, NO_FILES } from './files.ts';
import { type Draft, replaceValues } from './form-state.ts';
import type { PublishForm } from './use-form.ts';
import { emptyValues, isSame } from './values.ts';

/** Stores the form's unsent input in this browser under a key, and restores or discards it. */
export function useDraft({ state, change, removeCode, setIncludesVersion }: PublishForm, key: string) {
  const language = useLocale();
  const { values, filled, files, original, plugin, includesVersion, draft } = state;
  const untouched = { values: original?.values ?? emptyValues(language), files: original?.files ?? NO_FILES };
  const chosen = chosenFiles(files);
  const isTouched = !isSame({ values, files }, untouched);
  const isDirty = state.sending.state !== 'done' && (chosen.length > 0 || isTouched);
  const content = {
    values,
    filled,
    file_names: chosen.map(({ name }) => name),
    based_on: plugin?.submission_id ?? null,
    brings_version: includesVersion,
  };
  const isSaved = useStoredDraft({
    key,
    content: isDirty ? content : undefined,
    hasDraft: draft !== undefined,
    isPaused: draft?.isOlder === true,
    now: Date.now,
  });
  return {
    /** There are unsaved changes. */
    isDirty,
    hasFiles: chosen.length > 0,
    /** A stored draft has the unsent input, so that it survives a reload. */
    isSaved,
    dismiss: () => change((now) => ({ ...now, draft: undefined })),
    /** Restores an older draft on top of the current plugin. */
    take: () => {
      if (!draft) return;
      const { brings_version } = draft.draft;
      if (brings_version !== includesVersion) setIncludesVersion(brings_version);
      change((now) => ({ ...replaceValues(now, draft.draft), draft: { ...draft, isOlder: false } }));
    },
    /** Resets the form to its initial state without a draft. */
    discard: () => {
      deleteDraft(lastingStorage(), key);
      removeCode();
      change((now) => ({
        ...replaceValues(now, { values: untouched.values, filled: [] }),
        files: untouched.files,
        reported: [],
        draft: undefined,
      }));
    },
  };
}

export type FormDraft = ReturnType<typeof useDraft>;

/** Debounce before the draft is stored, in milliseconds. */
const PAUSE_MS = 400;

type DraftOptions = {
  key: string;
  /** The draft to be stored; undefined without unsaved changes. */
  content: Omit<Draft, 'saved_at'> | undefined;
  /** The form was opened with a draft, restored or older. */
  hasDraft: boolean;
  /** The user hasn't decided about an older draft yet: it stays stored. */
  isPaused: boolean;
  now: () => number;
};

/**
 * Stores the form's input in this browser, soon after every change and when the page is left. An unchanged form neither
 * writes nor deletes: the draft may belong to another tab.
 * @returns true once it is stored
 */
function useStoredDraft({ key, content, hasDraft, isPaused, now }: DraftOptions): boolean {
  const [isSaved, setIsSaved] = useState(false);
  const written = JSON.stringify(content);
  /** What this form last stored: an empty text is a draft that it hasn't restored. */
  const last = useRef(hasDraft ? (written ?? '') : undefined);
  const write = useEffectEvent((): boolean => {
    if (isPaused) return false;
    if (written === last.current) return content !== undefined;
    last.current = written;
    if (content) return storeDraft(lastingStorage(), key, { ...content, saved_at: now() });
    deleteDraft(lastingStorage(), key);
    return false;
  });
  useEffect(() => {
    const timer = setTimeout(() => setIsSaved(write()), written === undefined ? 0 : PAUSE_MS);
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
  return isSaved;
}
