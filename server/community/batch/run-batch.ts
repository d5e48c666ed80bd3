import { createReadStream } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import type { BatchResult } from '../../../shared/entities/review.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import { DEFAULT_PACKAGE_LIMITS } from '../../../shared/package/limits.ts';
import { packagesIn } from '../../../shared/package/split-array.ts';
import type { PackageBytes, PackageFault } from '../../../shared/package/splitter.ts';
import type { UploadedFile } from '../forms/uploads.ts';
import { countItems } from './count-items.ts';
import { type Importing, type ImportParts, importItem } from './import-item.ts';
import { type Outcome, refused } from './outcome.ts';
import { type Override, overridesFor } from './overrides.ts';

export type Batch = { files: readonly UploadedFile[]; decided: readonly Override[] };

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
