import { PICTURES } from '../../../features/publishing/files/files.ts';
import { VALUE_NAMES } from '../../../features/publishing/values/values.ts';
import type { BatchRow } from './batch-row.ts';
import { type Aside, editsElsewhere, NO_EDITS } from './row-edits.ts';

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
