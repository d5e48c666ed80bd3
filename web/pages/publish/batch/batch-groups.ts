import type { PayloadFor } from '../../../api/client.ts';
import { type BatchRow, targetOf } from './batch-row.ts';
import { isNameEdited, isVersionEdited } from './row-findings.ts';

const ROWS_MAX = 10;
const BYTES_MAX = 20 * 1024 * 1024;

/**
 * Rows as they are sent, some at a time: what came of the ones before is on the screen already, and stopping leaves
 * only one group in doubt.
 */
export function groupsOf(rows: readonly BatchRow[]): BatchRow[][] {
  const groups: BatchRow[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const { size } = row.item.content;
    const group = groups.at(-1);
    if (group && group.length < ROWS_MAX && bytes + size <= BYTES_MAX) {
      group.push(row);
      bytes += size;
    } else {
      groups.push([row]);
      bytes = size;
    }
  }
  return groups;
}

/** The form of one group: each package a file of its own, and what was decided on it. */
export function payloadOf(group: readonly BatchRow[]): PayloadFor<'uploadBatch'> & { files: File[] } {
  return {
    files: group.map(({ item }) => new File([item.content], item.fileName, { type: 'application/json' })),
    items: group.map((row, file) => {
      const target = targetOf(row);
      return {
        file,
        index: 0,
        ...(target === undefined ? {} : { plugin_key: target }),
        ...(isNameEdited(row) ? { name: row.name.trim() } : {}),
        ...(isVersionEdited(row) ? { version: row.version.trim() } : {}),
      };
    }),
  };
}
