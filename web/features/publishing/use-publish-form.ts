import { useState } from 'react';
import { useLocale } from 'use-intl';
import { AUDIT_PASSED } from '../../../shared/constants.ts';
import type { Tag } from '../../../shared/entities/plugin.ts';
import type { EditablePlugin, PublishRules } from '../../../shared/entities/review.ts';
import { lastingStorage } from '../../api/tab-storage.ts';
import { deleteDraft, draftKey, readDraft, startOf, useDraft } from './draft.ts';
import { chosenFiles, storedFiles } from './files/files.ts';
import { useFileChoices, useObjectUrls } from './files/use-files.ts';
import { usePackage } from './files/use-package.ts';
import { knownTagsOf } from './values/package-values.ts';
import { useFields } from './values/use-fields.ts';
import { editableValues, emptyValues, isSame, rebased } from './values/values.ts';

export type PublishFormOptions = {
  userId: number;
  /** The edited plugin; absent for a new one. */
  plugin: EditablePlugin | undefined;
  /** Opened to submit a new version. */
  startsWithVersion: boolean;
  rules: PublishRules | undefined;
  tags: readonly Tag[];
};

/**
 * The state of the form for one plugin, without sending. It stays based on the plugin as first loaded, so that it never
 * overwrites another user's changes unseen.
 */
export function usePublishForm(facts: PublishFormOptions) {
  const { userId, rules, tags } = facts;
  const locale = useLocale();
  const key = draftKey(userId, facts.plugin?.plugin_key);
  const [start] = useState(() =>
    startOf({ ...facts, language: locale, draft: readDraft(lastingStorage(), key) }),
  );
  const [plugin, setPlugin] = useState(facts.plugin);
  const [original, setOriginal] = useState(start.original);
  const [draft, setDraft] = useState(start.draft);
  const [includesVersion, setIncludesVersion] = useState(start.includesVersion);
  const [isSent, setIsSent] = useState(false);
  const fields = useFields({
    initial: start.values,
    initialFilled: start.filled,
    lastVersion: plugin?.last_version,
  });
  const urlOf = useObjectUrls();
  const choices = useFileChoices(start.files, fields.report, urlOf);
  const code = usePackage({ fields, choices, knownTags: knownTagsOf(rules, tags), urlOf });

  const { values, filled } = fields;
  const { files } = choices;
  const untouched = original?.values ?? emptyValues(locale);
  const chosen = chosenFiles(files);
  const isTouched = !isSame(values, untouched) || !isSame(files, original?.files ?? start.files);
  const isDirty = !isSent && (chosen.length > 0 || isTouched);
  const content = {
    values,
    filled,
    file_names: chosen.map(({ name }) => name),
    based_on: plugin?.submission_id ?? null,
    brings_version: includesVersion,
  };
  const isSaved = useDraft({
    key,
    content: isDirty ? content : undefined,
    hasDraft: start.draft !== undefined,
    isOnHold: draft?.isOlder === true,
    now: Date.now,
  });

  /** Shows or hides the version section, reset to its initial values. */
  const switchVersion = (brings: boolean): void => {
    if (!plugin) return;
    const { version, version_kind, version_note } = editableValues(plugin, brings);
    const part = { version, version_kind, version_note };
    setIncludesVersion(brings);
    if (!brings) code.removeCode();
    if (original) setOriginal({ ...original, values: { ...original.values, ...part } });
    fields.setValues((before) => ({ ...before, ...part }));
  };
  /** Restores an older draft on top of the current plugin. */
  const restoreDraft = (): void => {
    if (!draft) return;
    if (draft.draft.brings_version !== includesVersion) switchVersion(draft.draft.brings_version);
    fields.replaceValues(draft.draft.values, draft.draft.filled);
    setDraft({ ...draft, isOlder: false });
  };
  /** Resets the form to its initial state without a draft. */
  const discardDraft = (): void => {
    deleteDraft(lastingStorage(), key);
    setDraft(undefined);
    code.removeCode();
    fields.replaceValues(untouched);
    choices.setFiles(() => original?.files ?? start.files);
    fields.setProblems([]);
  };
  /** Applies the user's changes to a plugin that another user has changed. */
  const rebase = (newer: EditablePlugin): void => {
    if (!original) return;
    const now = editableValues(newer, includesVersion);
    fields.setValues((before) => rebased(before, original.values, now));
    setOriginal({ values: now, files: storedFiles(newer.listing) });
    setPlugin(newer);
  };

  const isVersionFixed = plugin !== undefined && !includesVersion && hasPassed(plugin);
  return {
    settings: { plugin, rules, tags, includesVersion, isVersionFixed },
    fields,
    choices,
    code,
    original,
    setIncludesVersion: switchVersion,
    rebase,
    /** There are unsaved changes. */
    isDirty,
    hasFiles: chosen.length > 0,
    markSent: () => setIsSent(true),
    draft: {
      /** A stored draft has the unsent input, so that it survives a reload. */
      isKept: isSaved,
      shown: draft,
      dismiss: () => setDraft(undefined),
      take: restoreDraft,
      discard: discardDraft,
    },
  };
}

function hasPassed({ audit_status, version, current_version }: EditablePlugin): boolean {
  return audit_status === AUDIT_PASSED || version === current_version;
}

export type PublishForm = ReturnType<typeof usePublishForm>;
