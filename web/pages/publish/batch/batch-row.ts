import type { BatchResult } from '../../../../shared/entities/review.ts';
import type { ApiError } from '../../../api/api-error.ts';
import type { DataFor } from '../../../api/client.ts';
import type { PackageItem } from '../../../features/packages/package-item.ts';
import { PICTURES } from '../form/files.ts';
import { VALUE_NAMES } from '../form/values.ts';
import {
  editsForOtherPlugin,
  filesOfEdits,
  NO_EDITS,
  type RowEdits,
  type StashedEdits,
} from './row-edits.ts';

/** Plugins that a package may be a version of, as returned by the service. */
export type Match = DataFor<'matchPackages'>['matches'][number];

/** State of a row. `unclear`: it was being sent when the submission was cancelled. */
type RowState = { kind: 'ready' | 'sending' | 'unclear' } | { kind: 'done' | 'refused'; result: BatchResult };

/** Why the service couldn't check a row, and when (milliseconds). Without an error, its response skipped the row. */
export type CheckFailure = { error: ApiError | undefined; at: number };

export type DryRun =
  | { state: 'pending' }
  | { state: 'failed'; failure: CheckFailure }
  | { state: 'checked'; result: BatchResult };

/** The same with the row's state at that time, identified by `key`. */
export type DryRunResult = DryRun & { key: string };

/** One package of a batch: what was read, the user's edits, and its result. */
export type BatchRow = {
  id: number;
  item: PackageItem;
  name: string;
  version: string;
  /** Plugin that it becomes a version of, null for a new one; undefined without the user's choice. */
  chosen: string | null | undefined;
  /** undefined until the service has responded. */
  match: Match | undefined;
  /** Why there is no match: `absent` where the service supports neither matching nor dry runs. */
  unmatched?: 'absent' | CheckFailure | undefined;
  state: RowState;
  edits: RowEdits;
  /** Edits of plugins whose files this row had before. */
  setAsides: readonly StashedEdits[];
  verdict?: DryRunResult | undefined;
};

export function createRow(id: number, item: PackageItem): BatchRow {
  return {
    id,
    item,
    name: item.package?.name ?? '',
    version: item.package?.version ?? '',
    chosen: undefined,
    match: undefined,
    state: { kind: 'ready' },
    edits: NO_EDITS,
    setAsides: [],
  };
}

/** The plugin that a row becomes a version of; null: a new one; undefined: the service decides. */
export function targetOf({ chosen, match }: BatchRow): string | null | undefined {
  return chosen === undefined ? match?.plugin_key : chosen;
}

/** Known data of the plugin that a row becomes a version of. */
export function candidateOf(row: BatchRow): Match['candidates'][number] | undefined {
  const target = targetOf(row);
  return row.match?.candidates.find(({ plugin_key }) => plugin_key === target);
}

/**
 * A row with the latest match. If a row with an unknown result matches a plugin that was created since, it becomes a
 * version of that plugin: submitting it again is idempotent and creates no second plugin.
 */
export function withMatch(row: BatchRow, match: Match): BatchRow {
  const matched = { ...row, match, unmatched: undefined };
  if (row.state.kind !== 'unclear' || targetOf(matched)) return matched;
  const before = row.match?.candidates ?? [];
  const arrived = match.candidates.find(
    ({ plugin_key }) => !before.some((candidate) => candidate.plugin_key === plugin_key),
  );
  return arrived ? { ...matched, chosen: arrived.plugin_key } : matched;
}

/** Size of a row as it is sent, in bytes. */
export function bytesOf({ item, edits }: BatchRow): number {
  return filesOfEdits(edits).reduce((sum, { size }) => sum + size, item.content.size);
}

export function bytesOfRows(rows: readonly BatchRow[]): number {
  return rows.reduce((sum, row) => sum + bytesOf(row), 0);
}

export function isNameEdited({ item, name, edits }: BatchRow): boolean {
  return edits.values.name === undefined && name.trim() !== (item.package?.name ?? '');
}

export function isVersionEdited({ item, version }: BatchRow): boolean {
  return version.trim() !== (item.package?.version ?? '');
}

export function isDone({ state }: BatchRow): boolean {
  return state.kind === 'done';
}

/** Identifies the content that would be sent. */
export function keyOf(row: BatchRow): string {
  const { edits, name, version, item } = row;
  const { values, pictures, media } = edits;
  const urls = Object.entries(pictures).map(([index, one]) => [index, one.state === 'chosen' ? one.url : '']);
  const ids = media?.map(({ id }) => id);
  return JSON.stringify([targetOf(row), name, version, item.fingerprint, values, urls, ids]);
}

/** The dry run result of a row, if it is still valid. */
export function dryRunResultOf(row: BatchRow): BatchResult | undefined {
  const { verdict } = row;
  return verdict?.state === 'checked' && verdict.key === keyOf(row) ? verdict.result : undefined;
}

/**
 * True while a row still needs a dry run. Only services that support matching also support dry runs; others would
 * really submit the row.
 */
export function isPending(row: BatchRow): boolean {
  if (row.state.kind !== 'ready') return false;
  if (row.match === undefined) return row.unmatched === undefined;
  return row.verdict?.state === 'pending' || row.verdict?.key !== keyOf(row);
}

/** Why a row's dry run failed, if its content hasn't changed since. */
export function failureOf({ verdict, ...row }: BatchRow): CheckFailure | undefined {
  if (row.state.kind !== 'ready') return undefined;
  if (row.match === undefined) return row.unmatched === 'absent' ? undefined : row.unmatched;
  return verdict?.state === 'failed' && verdict.key === keyOf(row) ? verdict.failure : undefined;
}

/** Identity of a plugin by its package; undefined for a file without one. */
export function pluginOf({ item }: Pick<BatchRow, 'item'>): string | undefined {
  return item.package ? JSON.stringify([item.package.name, item.package.external_id]) : undefined;
}

/** The user's input and choices for a row; undefined without any. */
export function setAsideOf(row: BatchRow): StashedEdits | undefined {
  const { item, name, version, chosen, edits } = row;
  const plugin = pluginOf(row);
  if (plugin === undefined) return undefined;
  const newName = name.trim() === (item.package?.name ?? '') ? undefined : name;
  const newVersion = version.trim() === (item.package?.version ?? '') ? undefined : version;
  const fields = new Set<StashedEdits['fields'][number]>([
    ...(newName === undefined ? [] : ['name' as const]),
    ...(newVersion === undefined ? [] : ['version' as const]),
    // The default language is required once there is any other text.
    ...VALUE_NAMES.filter((field) => edits.values[field] !== undefined).filter(
      (field, _place, all) => field !== 'default_lang' || all.length === 1,
    ),
    ...PICTURES.filter((picture) => edits.pictures[picture]),
    ...(edits.media ? ['media' as const] : []),
  ]);
  if (fields.size === 0 && chosen === undefined) return undefined;
  return { name, fields: [...fields], plugin, edits, newName, version: newVersion, chosen };
}

/** A row with all edits of its own plugin applied. */
export function withOwnEdits(row: BatchRow, { edits, newName, version, chosen }: StashedEdits): BatchRow {
  return { ...row, edits, name: newName ?? row.name, version: version ?? row.version, chosen };
}

/** A row with the edits of another plugin applied, except for fields edited since. */
export function withStashedEdits(row: BatchRow, setAside: StashedEdits): BatchRow {
  const own = setAsideOf(row);
  const { edits } = own ?? { edits: NO_EDITS };
  const others = editsForOtherPlugin(setAside.edits);
  return {
    ...row,
    name: own?.newName ?? setAside.newName ?? row.name,
    version: own?.version ?? setAside.version ?? row.version,
    edits: {
      values: { ...others.values, ...edits.values },
      pictures: { ...others.pictures, ...edits.pictures },
      media: edits.media ?? others.media,
    },
  };
}
