import { type ReactNode, useState } from 'react';
import { useLocale } from 'use-intl';
import { AUDIT_PASSED } from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import type { Tag } from '../../../shared/entities/plugin.ts';
import type { EditablePlugin, PublishRules } from '../../../shared/entities/review.ts';
import type { ErrorDetail } from '../../../shared/errors.ts';
import { draftKey, dropDraft, readDraft } from './draft/draft.ts';
import { startOf } from './draft/start.ts';
import { useDraft } from './draft/use-draft.ts';
import { chosenFiles, keptFiles } from './files/publish-files.ts';
import { useCodeFile } from './files/use-code-file.ts';
import { useObjectUrls } from './files/use-object-urls.ts';
import type { ReadPackageFile } from './files/use-package.ts';
import { usePublishFiles } from './files/use-publish-files.ts';
import { type SayFinding, useProblems } from './use-problems.ts';
import { useValues } from './use-values.ts';
import { editableValues } from './values/editable-values.ts';
import { emptyValues } from './values/publish-values.ts';
import { rebased } from './values/rebase.ts';
import { isSame } from './values/same.ts';

export type PublishFormFacts = {
  userId: number;
  /** The plugin that is edited; absent for a new one. */
  plugin: EditablePlugin | undefined;
  /** Editing was begun in order to bring a version. */
  wantsVersion: boolean;
  rules: PublishRules | undefined;
  tags: readonly Tag[];
  readPackage: ReadPackageFile;
  sayFinding: SayFinding;
  /** How findings are shown: a matter of another part of the page. */
  showFindings: (findings: readonly Finding[]) => ReactNode;
  showDetails: (details: readonly ErrorDetail[]) => ReactNode;
};

/**
 * Everything the publishing form knows and does, apart from sending. It stands on the plugin as it was at first,
 * whatever is read of it later, so that nobody's change is overwritten unseen.
 */
export function usePublishForm(facts: PublishFormFacts, isSent: boolean) {
  const locale = useLocale();
  const key = draftKey(facts.userId, facts.plugin?.plugin_key);
  const [start] = useState(() =>
    startOf({ ...facts, language: locale, draft: readDraft(localStorage, key) }),
  );
  const [plugin, setPlugin] = useState(facts.plugin);
  const [original, setOriginal] = useState(start.original);
  const [draft, setDraft] = useState(start.draft);
  const [bringsVersion, setBringsVersion] = useState(start.bringsVersion);
  const fields = useValues({
    initial: start.values,
    initialFilled: start.filled,
    lastVersion: plugin?.last_version,
    onChanged: (name) => problems.report(`/${name}`, undefined),
  });
  const { values } = fields;
  const problems = useProblems(values, fields.language, facts.sayFinding);
  const urlOf = useObjectUrls();
  const files = usePublishFiles(start.files, problems.report, urlOf);
  const code = useCodeFile({ ...facts, fields, files, urlOf, report: problems.report });

  const untouched = original?.values ?? emptyValues(locale);
  const chosen = chosenFiles(files.files);
  const isTouched = !isSame(values, untouched) || !isSame(files.files, original?.files ?? start.files);
  const isDirty = !isSent && (chosen.length > 0 || isTouched);
  const content = {
    values,
    filled: fields.filled,
    file_names: chosen.map(({ name }) => name),
    based_on: plugin?.submission_id ?? null,
    brings_version: bringsVersion,
  };
  const isKept = useDraft({
    key,
    content: isDirty ? content : undefined,
    hasDraft: start.draft !== undefined,
    isOnHold: draft?.isOlder === true,
    now: Date.now,
  });

  /** Takes the version part of the form in or out, as it is at first. */
  const switchVersion = (brings: boolean): void => {
    if (!plugin) return;
    const { version, version_kind, version_note } = editableValues(plugin, brings);
    const part = { version, version_kind, version_note };
    setBringsVersion(brings);
    if (!brings) code.removeCode();
    if (original) setOriginal({ ...original, values: { ...original.values, ...part } });
    fields.setValues((before) => ({ ...before, ...part }));
  };
  /** Takes up an older draft, on top of what the plugin is now. */
  const takeDraft = (): void => {
    if (!draft) return;
    if (draft.draft.brings_version !== bringsVersion) switchVersion(draft.draft.brings_version);
    fields.replaceValues(draft.draft.values, draft.draft.filled);
    setDraft({ ...draft, isOlder: false });
  };
  /** Back to what the form began with, without a draft. */
  const startOver = (): void => {
    dropDraft(localStorage, key);
    setDraft(undefined);
    code.removeCode();
    fields.replaceValues(untouched);
    files.setFiles(() => original?.files ?? start.files);
    problems.setProblems([]);
  };
  /** Puts what was changed here onto what somebody else has made of the plugin. */
  const rebase = (newer: EditablePlugin): void => {
    if (!original) return;
    const now = editableValues(newer, bringsVersion);
    fields.setValues((before) => rebased(before, original.values, now));
    setOriginal({ values: now, files: keptFiles(newer.listing) });
    setPlugin(newer);
  };

  return {
    ...facts,
    ...fields,
    ...problems,
    ...code,
    plugin,
    /** The version is as it is: a passed one does not change any more. */
    isVersionFixed: plugin !== undefined && !bringsVersion && hasPassed(plugin),
    files,
    original,
    bringsVersion,
    setBringsVersion: switchVersion,
    isDirty,
    /** What is written would still be there after a reload. */
    isKept,
    chosen,
    draft,
    dismissDraft: () => setDraft(undefined),
    takeDraft,
    startOver,
    rebase,
  };
}

function hasPassed({ audit_status, version, current_version }: EditablePlugin): boolean {
  return audit_status === AUDIT_PASSED || version === current_version;
}

export type PublishForm = ReturnType<typeof usePublishForm>;
