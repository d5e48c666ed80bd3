import { createReadStream } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import { BATCH_BYTES_MAX, BATCH_ITEMS_MAX } from '../../../shared/constants.ts';
import type { BatchResult } from '../../../shared/entities/review.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import { DEFAULT_PACKAGE_LIMITS, inMegabytes } from '../../../shared/package/limits.ts';
import { packagesIn } from '../../../shared/package/split-array.ts';
import type { PackageBytes, PackageFault } from '../../../shared/package/splitter.ts';
import { appError } from '../../http/errors.ts';
import type { UploadedFile } from '../forms/uploads.ts';
import { type Importing, type ImportParts, importItem } from './import-item.ts';
import { type Outcome, refused } from './outcome.ts';
import { type Override, overridesFor } from './overrides.ts';

type Batch = { files: readonly UploadedFile[]; decided: readonly Override[] };

type Running = { importing: Importing; log: FastifyBaseLogger };

/**
 * Imports the packages of files one after the other, holding one of them at a time. What is wrong with one is told in
 * its result and keeps no other back (design section 7, rule 8). When the client goes, the item at hand is the last.
 * @throws VALIDATION_FAILED, BATCH_TOO_LARGE, before anything is stored
 */
export async function runBatch(
  parts: ImportParts,
  { files, decided }: Batch,
  running: Running,
): Promise<BatchResult[]> {
  const overrideOf = overridesFor(decided, await countItems(files));
  const results: BatchResult[] = [];
  for (const [place, { path, filename }] of files.entries()) {
    for await (const item of packagesIn(createReadStream(path), DEFAULT_PACKAGE_LIMITS)) {
      if (running.importing.gone.aborted) return results;
      const outcome = await outcomeOf(parts, item, overrideOf(place, item.index), running);
      results.push({ file: filename, index: item.index, ...outcome });
    }
  }
  return results;
}

async function outcomeOf(
  parts: ImportParts,
  item: PackageBytes | PackageFault,
  override: Override | undefined,
  { importing, log }: Running,
): Promise<Outcome> {
  if (override?.skip) {
    return { ok: true, errors: [], warnings: [finding('ITEM_SKIPPED', { pointer: '' })] };
  }
  if ('finding' in item) return refused([item.finding]);
  try {
    return await importItem(parts, item, override, importing);
  } catch (error) {
    log.error({ err: error }, 'an item of a batch could not be imported');
    return refused([finding('ITEM_FAILED', { pointer: item.pointer })]);
  }
}

/** No item is small enough to be kept, so counting holds none of them. */
const COUNT_ONLY = { fileBytes: 0, batchItems: Number.MAX_SAFE_INTEGER };

/**
 * Items of each file of a batch; a file that cannot be read has one, which tells so.
 * @throws VALIDATION_FAILED for no file at all, BATCH_TOO_LARGE
 */
async function countItems(files: readonly UploadedFile[]): Promise<number[]> {
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
