import type { PayloadFor } from '../../../api/client.ts';
import { mediaToSend, PICTURES } from '../form/files.ts';
import { type BatchRow, bytesOf, isNameEdited, isVersionEdited, targetOf } from './batch-row.ts';
import type { RowEdits } from './row-edits.ts';

const ROWS_MAX = 10;
const BYTES_MAX = 20 * 1024 * 1024;

/**
 * Groups of rows to send: results of earlier groups are on screen already, and a cancellation leaves only one group in
 * an unknown state.
 */
export function groupsOf(rows: readonly BatchRow[]): BatchRow[][] {
  const groups: BatchRow[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = bytesOf(row);
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

/** The form of one group: each package as a file, its user edits, and pictures that its item refers to. */
export function batchPayloadOf(
  group: readonly BatchRow[],
): PayloadFor<'uploadBatch'> & { files: File[]; media?: File[] } {
  const media: File[] = [];
  const items = group.map((row, file) => {
    const target = targetOf(row);
    return {
      file,
      index: 0,
      ...(target === undefined ? {} : { plugin_key: target }),
      ...(isNameEdited(row) ? { name: row.name.trim() } : {}),
      ...(isVersionEdited(row) ? { version: row.version.trim() } : {}),
      ...written(row.edits, media),
    };
  });
  return {
    files: group.map(({ item }) => new File([item.content], item.fileName, { type: 'application/json' })),
    items,
    ...(media.length > 0 ? { media } : {}),
  };
}

/** User edits of a row; its files are added to those of the group and referenced by index. */
function written({ values, pictures, media }: RowEdits, sent: File[]) {
  const addFile = (file: File): number => sent.push(file) - 1;
  const chosen = PICTURES.flatMap((name) => {
    const choice = pictures[name];
    return choice?.state === 'chosen' ? [[name, addFile(choice.file)] as const] : [];
  });
  const { data_collected: collected, ...others } = values;
  const remove = [
    ...PICTURES.filter((name) => pictures[name]?.state === 'none'),
    ...(collected === null ? ['data_collected' as const] : []),
  ];
  const gallery = media && mediaToSend(media);
  const listing = {
    ...others,
    ...(collected && { data_collected: collected }),
    ...(remove.length > 0 ? { remove } : {}),
    ...(gallery ? { media_order: gallery.order } : {}),
  };
  return {
    ...(Object.keys(listing).length > 0 ? { listing } : {}),
    ...Object.fromEntries(chosen),
    ...(gallery && gallery.files.length > 0 ? { media: gallery.files.map(addFile) } : {}),
  };
}
