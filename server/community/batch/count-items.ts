import { createReadStream } from 'node:fs';
import { BATCH_BYTES_MAX, BATCH_ITEMS_MAX } from '../../../shared/constants.ts';
import { inMegabytes } from '../../../shared/package/limits.ts';
import { packagesIn } from '../../../shared/package/split-array.ts';
import { appError } from '../../http/errors.ts';
import type { UploadedFile } from '../forms/uploads.ts';

/** No item is small enough to be kept, so counting holds none of them. */
const COUNT_ONLY = { fileBytes: 0, batchItems: Number.MAX_SAFE_INTEGER };

/**
 * Items of each file of a batch; a file that cannot be read has one, which tells so.
 * @throws VALIDATION_FAILED for no file at all, BATCH_TOO_LARGE
 */
export async function countItems(files: readonly UploadedFile[]): Promise<number[]> {
  if (files.length === 0) {
    throw appError('VALIDATION_FAILED', { details: [{ pointer: '/files', message: 'is required' }] });
  }
  const counts: number[] = [];
  let total = 0;
  for (const { path } of files) {
    let count = 0;
    for await (const { index } of packagesIn(createReadStream(path), COUNT_ONLY)) {
      count = index + 1;
      if (total + count > BATCH_ITEMS_MAX) throw batchTooLarge();
    }
    total += count;
    counts.push(count);
  }
  return counts;
}

function batchTooLarge() {
  return appError('BATCH_TOO_LARGE', {
    params: { items: BATCH_ITEMS_MAX, size: inMegabytes(BATCH_BYTES_MAX) },
  });
}
