import type { BatchResult } from '../../../../shared/entities/review.ts';
import type { ApiError } from '../../../api/api-error.ts';
import type { DataFor } from '../../../api/client.ts';
import type { PackageItem } from '../../../features/packages/package-item.ts';
import { PICTURES } from '../../../features/publishing/files/files.ts';
import { VALUE_NAMES } from '../../../features/publishing/values/values.ts';
import { type Aside, editsElsewhere, filesOfEdits, NO_EDITS, type RowEdits } from './row-edits.ts';

/** Which plugins a package could become a version of, as the service knows them. */
export type Match = DataFor<'matchPackages'>['matches'][number];

/** What has become of a row. `unclear`: it was under way when the sending was stopped. */
type RowState = { kind: 'ready' | 'sending' | 'unclear' } | { kind: 'done' | 'refused'; result: BatchResult };

/** Why the service could not be asked about a row, and when (milliseconds). No error: its answer left the row out. */
export type CheckFailure = { error: ApiError | undefined; at: number };

/** What a dry run has told of a row. */
export type Told =
  | { state: 'asked' }
  | { state: 'failed'; failure: CheckFailure }
  | { state: 'told'; result: BatchResult };

/** The same of a row as it was: `key` tells how. */
export type Verdict = Told & { key: string };

/** One package on its way: what was read of it, what was corrected by hand, and what has become of it. */
export type BatchRow = {
  id: number;
  item: PackageItem;
  name: string;
  version: string;
  /** Plugin it becomes a version of, null for a new one; undefined while nobody has chosen. */
  chosen: string | null | undefined;
  /** undefined until the service has been asked. */
  match: Match | undefined;
  /** Why there is no match: `absent` where the service knows no such call, and no dry runs either. */
  unmatched?: 'absent' | CheckFailure | undefined;
  state: RowState;
  edits: RowEdits;
  /** What was typed for other plugins whose files stood in its place. */
  asides: readonly Aside[];
  /** What the service last said of it when it was asked beforehand. */
  verdict?: Verdict | undefined;
};

export function newRow(id: number, item: PackageItem): BatchRow {
  return {
    id,
    item,
    name: item.package?.name ?? '',
    version: item.package?.version ?? '',
    chosen: undefined,
    match: undefined,
    state: { kind: 'ready' },
    edits: NO_EDITS,
    asides: [],
  };
}

/** The plugin a row becomes a version of; null: a new one; undefined: the service decides. */
export function targetOf({ chosen, match }: BatchRow): string | null | undefined {
  return chosen === undefined ? match?.plugin_key : chosen;
}

/** What is known of the plugin a row becomes a version of. */
export function candidateOf(row: BatchRow): Match['candidates'][number] | undefined {
  const target = targetOf(row);
  return row.match?.candidates.find(({ plugin_key }) => plugin_key === target);
}

/**
 * A row with what the service now knows. One that may have arrived as a new plugin becomes a version of the plugin that
 * has come about since: submitted again it is then the same, not a second one.
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

/** Tells whether what would be sent of a row has changed. */
export function keyOf(row: BatchRow): string {
  const { edits, name, version, item } = row;
  const { values, pictures, media } = edits;
  const urls = Object.entries(pictures).map(([place, one]) => [place, one.state === 'chosen' ? one.url : '']);
  const ids = media?.map(({ id }) => id);
  return JSON.stringify([targetOf(row), name, version, item.fingerprint, values, urls, ids]);
}

/** What the service has said of a row as it stands now. */
export function toldOf(row: BatchRow): BatchResult | undefined {
  const { verdict } = row;
  return verdict?.state === 'told' && verdict.key === keyOf(row) ? verdict.result : undefined;
}

/**
 * True while the service has still to say whether it would take a row. Only one that knows dry runs is asked, or it would
 * take it in earnest: one that answers what packages would become versions of.
 */
export function isPending(row: BatchRow): boolean {
  if (row.state.kind !== 'ready') return false;
  if (row.match === undefined) return row.unmatched === undefined;
  return row.verdict?.state === 'asked' || row.verdict?.key !== keyOf(row);
}

/** Why nobody knows whether the service would take a row as it stands now. */
export function failureOf({ verdict, ...row }: BatchRow): CheckFailure | undefined {
  if (row.state.kind !== 'ready') return undefined;
  if (row.match === undefined) return row.unmatched === 'absent' ? undefined : row.unmatched;
  return verdict?.state === 'failed' && verdict.key === keyOf(row) ? verdict.failure : undefined;
}

/** Tells plugins apart by what their packages say; undefined for a file that is none. */
export function pluginOf({ item }: Pick<BatchRow, 'item'>): string | undefined {
  return item.package ? JSON.stringify([item.package.name, item.package.external_id]) : undefined;
}

/** What was typed and chosen for a row; undefined when nothing was. */
export function asideOf(row: BatchRow): Aside | undefined {
  const { item, name, version, chosen, edits } = row;
  const plugin = pluginOf(row);
  if (plugin === undefined) return undefined;
  const newName = name.trim() === (item.package?.name ?? '') ? undefined : name;
  const newVersion = version.trim() === (item.package?.version ?? '') ? undefined : version;
  const fields = new Set<Aside['fields'][number]>([
    ...(newName === undefined ? [] : ['name' as const]),
    ...(newVersion === undefined ? [] : ['version' as const]),
    // The default language goes along with any other text.
    ...VALUE_NAMES.filter((field) => edits.values[field] !== undefined).filter(
      (field, _place, all) => field !== 'default_lang' || all.length === 1,
    ),
    ...PICTURES.filter((picture) => edits.pictures[picture]),
    ...(edits.media ? ['media' as const] : []),
  ]);
  if (fields.size === 0 && chosen === undefined) return undefined;
  return { name, fields: [...fields], plugin, edits, newName, version: newVersion, chosen };
}

/** A row with all that was typed for its own plugin. */
export function withOwn(row: BatchRow, { edits, newName, version, chosen }: Aside): BatchRow {
  return { ...row, edits, name: newName ?? row.name, version: version ?? row.version, chosen };
}

/** A row with what was typed for another plugin, but for what was typed for this one since. */
export function withOther(row: BatchRow, aside: Aside): BatchRow {
  const own = asideOf(row);
  const { edits } = own ?? { edits: NO_EDITS };
  const others = editsElsewhere(aside.edits);
  return {
    ...row,
    name: own?.newName ?? aside.newName ?? row.name,
    version: own?.version ?? aside.version ?? row.version,
    edits: {
      values: { ...others.values, ...edits.values },
      pictures: { ...others.pictures, ...edits.pictures },
      media: edits.media ?? others.media,
    },
  };
}
