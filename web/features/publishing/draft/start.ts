import type { EditablePlugin } from '../../../../shared/entities/review.ts';
import type { Language } from '../../../../shared/languages.ts';
import { keptFiles, NO_FILES, type PublishFiles } from '../files/publish-files.ts';
import { editableValues } from '../values/editable-values.ts';
import type { Filled } from '../values/package-values.ts';
import { emptyValues, type PublishValues } from '../values/publish-values.ts';
import type { Draft } from './draft.ts';

/** What a form begins with. */
export type Start = {
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

type Facts = {
  plugin: EditablePlugin | undefined;
  wantsVersion: boolean;
  language: Language;
  draft: Draft | undefined;
};

/** Begins with the draft where there is one that fits, else with the plugin, else with nothing. */
export function startOf({ plugin, wantsVersion, language, draft }: Facts): Start {
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
