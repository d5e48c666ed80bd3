import type { BatchResult } from '../../../../shared/entities/review.ts';
import type { DataFor } from '../../../api/client.ts';
import type { PackageItem } from '../../../features/packages/package-item.ts';

/** Which plugins a package could become a version of, as the service knows them. */
export type Match = DataFor<'matchPackages'>['matches'][number];

/** What has become of a row. `unclear`: it was under way when the sending was stopped. */
export type RowState =
  | { kind: 'ready' | 'sending' | 'unclear' }
  | { kind: 'done' | 'refused'; result: BatchResult };

/** One package on its way: what was read of it, what was mended by hand, and what has become of it. */
export type BatchRow = {
  id: number;
  item: PackageItem;
  name: string;
  version: string;
  /** Plugin it becomes a version of, null for a new one; undefined while nobody has chosen. */
  chosen: string | null | undefined;
  /** undefined until the service has been asked. */
  match: Match | undefined;
  state: RowState;
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
 * has come about since: handed in again it is then the same, not a second one.
 */
export function withMatch(row: BatchRow, match: Match): BatchRow {
  const matched = { ...row, match };
  if (row.state.kind !== 'unclear' || targetOf(matched)) return matched;
  const before = row.match?.candidates ?? [];
  const arrived = match.candidates.find(
    ({ plugin_key }) => !before.some((candidate) => candidate.plugin_key === plugin_key),
  );
  return arrived ? { ...matched, chosen: arrived.plugin_key } : matched;
}

export function isDone({ state }: BatchRow): boolean {
  return state.kind === 'done';
}
