import { AUDIT_PASSED } from '../../../../shared/constants.ts';
import type { EditablePlugin, PublishResult, VersionKind } from '../../../../shared/entities/review.ts';
import type { Language } from '../../../../shared/languages.ts';
import { textFindings } from '../../../../shared/package/listing-rules.ts';
import type { PackageReading, ReadPackage } from '../../../../shared/package/package.ts';
import type { NamedTag } from '../../../../shared/tags.ts';
import { type PictureChoice, type PublishFiles, storedFiles } from './files.ts';
import {
  type Difference,
  type Filled,
  filledFields,
  valueAt,
  type WithPackage,
  withPackage,
  withValueAt,
} from './package-values.ts';
import { isAt, type Problem } from './sending/problems.ts';
import type { SubmitError } from './sending/submit-error.ts';
import {
  editableValues,
  isSame,
  type PublishValues,
  rebased,
  suggestedVersion,
  type TextsName,
  withText,
} from './values.ts';

export type FormContent = { values: PublishValues; files: PublishFiles };

/** The package of the form: it is read as soon as it is chosen. */
export type PackageState =
  | { state: 'none' }
  | { state: 'reading' | 'unreadable'; name: string }
  | { state: 'read'; name: string; reading: PackageReading };

/** The user has chosen an icon and the package has a different one; `url` shows the package's. */
export type IconDifference = { mine: PictureChoice; file: File; url: string };

export type Sending =
  /** `incomplete`: not sent because of problems; `unchanged`: nothing to send. */
  | { state: 'idle' | 'incomplete' | 'unchanged' | 'cancelled' | 'conflict' }
  /** Bytes; `total` is 0 until the browser knows it. */
  | { state: 'sending'; sent: number; total: number }
  /** `at`: milliseconds since 1970. */
  | { state: 'refused'; submitError: SubmitError; at: number }
  | { state: 'done'; result: PublishResult };

/** Unsent input of the form, as stored in this browser: no files, only their names. */
export type Draft = {
  /** Milliseconds since 1970. */
  saved_at: number;
  values: PublishValues;
  /** The fields that a package filled in. */
  filled: Filled[];
  /** Names of the chosen files. */
  file_names: string[];
  /** Submission that the changes are based on; null for a new plugin. */
  based_on: number | null;
  brings_version: boolean;
};

/** A draft whose input the form has, or (`isOlder`) one based on an earlier submission, which the user can restore. */
export type KnownDraft = { draft: Draft; isOlder: boolean };

/** All that the form for one plugin shows and people change. The functions below change it; each returns a new state. */
export type FormState = FormContent &
  WithPackage & {
    /** The edited plugin; absent for a new one. */
    plugin: EditablePlugin | undefined;
    /** Its current content, on which the user's changes are based. */
    original: FormContent | undefined;
    includesVersion: boolean;
    /** The current language of translated fields. */
    language: Language;
    /** Problems found when the form was sent or a file was chosen. */
    reported: readonly Problem[];
    packageState: PackageState;
    otherIcon: IconDifference | undefined;
    draft: KnownDraft | undefined;
    sending: Sending;
  };

/** The state of a form, for operations that take time. */
export type FormStore = {
  /** Each change applies to the latest state, so that slow operations such as reading a package overwrite nothing. */
  change: (update: (now: FormState) => FormState) => void;
  latest: () => FormState;
};

/** What a form starts with, before anything is typed. */
export function createForm(
  start: Pick<FormState, 'values' | 'files' | 'plugin' | 'includesVersion'> & Partial<FormState>,
): FormState {
  return {
    filled: [],
    differences: [],
    original: undefined,
    language: start.values.default_lang,
    reported: [],
    packageState: { state: 'none' },
    otherIcon: undefined,
    draft: undefined,
    sending: { state: 'idle' },
    ...start,
  };
}

/** The version number that the form suggests for the kind of version. */
export function suggestedIn({ plugin, values }: FormState, kind: VersionKind = values.version_kind): string {
  return suggestedVersion(plugin?.last_version, kind);
}

/** The version can't be edited: an approved one doesn't change any more. */
export function isVersionFixed({ plugin, includesVersion }: FormState): boolean {
  if (!plugin || includesVersion) return false;
  const { audit_status, version, current_version } = plugin;
  return audit_status === AUDIT_PASSED || version === current_version;
}

/** The reported problems, and texts over their limit, which are always problems. */
export function problemsIn({ reported, values }: FormState): readonly Problem[] {
  return [...reported.filter(({ code }) => code !== 'TEXT_TOO_LONG'), ...textFindings(values)];
}

/** Unresolved differences between user and package: editing a field resolves it. */
export function differencesIn({ differences, values }: FormState): Difference[] {
  return differences.filter((one) => isSame(valueAt(values, one), one.mine));
}

export function iconDifferenceIn({ otherIcon, files }: FormState): IconDifference | undefined {
  return otherIcon?.mine === files.icon ? otherIcon : undefined;
}

/** Problems of written fields are solved. */
export function write(state: FormState, values: Partial<PublishValues>): FormState {
  const reported = Object.keys(values).reduce(without, state.reported);
  return { ...state, values: { ...state.values, ...values }, reported };
}

/** Writes a translated field in the current language. */
export function writeText(state: FormState, name: TextsName, text: string): FormState {
  return write(state, { [name]: withText(state.values[name], state.language, text) });
}

/** A suggested version number follows the kind of the version. */
export function writeKind(state: FormState, kind: VersionKind): FormState {
  const { version } = state.values;
  const isFree = state.includesVersion && (version === '' || version === suggestedIn(state));
  return write(state, { version_kind: kind, ...(isFree && { version: suggestedIn(state, kind) }) });
}

/** Sets or clears the problem of a field. */
export function report(state: FormState, field: string, problem?: Problem): FormState {
  return { ...state, reported: [...without(state.reported, field), ...(problem ? [problem] : [])] };
}

export function changeFiles(state: FormState, update: (files: PublishFiles) => PublishFiles): FormState {
  return { ...state, files: update(state.files) };
}

/**
 * Applies a package's values; without a package, removes those of the previous one. `since` is the form when reading
 * began: later edits count as the user's input, and the current language stays.
 */
export function takePackage(
  state: FormState,
  read: ReadPackage | undefined,
  knownTags: readonly NamedTag[],
  since?: FormState,
): FormState {
  const { values, language } = state;
  const taken = withPackage(state, read, {
    knownTags,
    suggestedVersion: suggestedIn(state),
    since: since?.values,
  });
  const isAsBefore = !since || (isSame(values, since.values) && language === since.language);
  const { default_lang } = taken.values;
  return {
    ...state,
    ...taken,
    language: isAsBefore && default_lang !== values.default_lang ? default_lang : language,
    reported: filledFields(taken.values, taken.filled).reduce(without, state.reported),
  };
}

/** Resolves a difference: the user's value stays, or the package's replaces it. */
export function decide(state: FormState, difference: Difference, side: 'mine' | 'packaged'): FormState {
  const { mine, packaged, ...path } = difference;
  const isThis = (one: Difference): boolean => one.field === path.field && one.language === path.language;
  return {
    ...state,
    differences: state.differences.filter((one) => !isThis(one)),
    reported: without(state.reported, path.field),
    ...(side === 'packaged' && {
      filled: [...state.filled, { ...path, before: mine, value: packaged }],
      values: withValueAt(state.values, path, packaged),
    }),
  };
}

/** Replaces all values, with the fields that a package filled in. */
export function replaceValues(
  state: FormState,
  { values, filled }: Pick<FormState, 'values' | 'filled'>,
): FormState {
  return { ...state, values, filled, differences: [] };
}

/** Shows or hides the version of an existing plugin, reset to its initial values. */
export function switchVersion(state: FormState, includesVersion: boolean): FormState {
  const { plugin, original } = state;
  if (!plugin || !original) return state;
  const { version, version_kind, version_note } = editableValues(plugin, includesVersion);
  const part = { version, version_kind, version_note };
  return {
    ...state,
    includesVersion,
    original: { ...original, values: { ...original.values, ...part } },
    values: { ...state.values, ...part },
  };
}

/** Applies the user's changes to a plugin that another user has changed. */
export function rebase(state: FormState, plugin: EditablePlugin): FormState {
  const { original, values, includesVersion } = state;
  if (!original) return state;
  const newer = editableValues(plugin, includesVersion);
  return {
    ...state,
    plugin,
    values: rebased(values, original.values, newer),
    original: { values: newer, files: storedFiles(plugin.listing) },
    sending: { state: 'idle' },
  };
}

function without(problems: readonly Problem[], field: string): readonly Problem[] {
  return problems.filter((one) => !isAt(one, `/${field}`));
}
