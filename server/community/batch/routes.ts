import { createReadStream } from 'node:fs';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { BATCH_BYTES_MAX, BATCH_ITEMS_MAX, MEDIA_MAX } from '../../../shared/constants.ts';
import { contract } from '../../../shared/contract.ts';
import type { BatchResult } from '../../../shared/entities/review.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import { DEFAULT_PACKAGE_LIMITS, inMegabytes } from '../../../shared/package/package.ts';
import { packagesIn } from '../../../shared/package/split-array.ts';
import type { PackageBytes, PackageFault } from '../../../shared/package/splitter.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { implementForm } from '../forms/implement-form.ts';
import type { UploadedFile } from '../forms/uploads.ts';
import { languageOf } from '../language.ts';
import { CHECKED_WITH_LISTING } from '../publish/check-submission.ts';
import { type Importing, type ImportParts, importItem, type Outcome, refused } from './import-item.ts';
import { matchPackages } from './match.ts';
import { type Override, overridesFor } from './read-item.ts';

const TOO_LARGE = { items: String(BATCH_ITEMS_MAX), size: inMegabytes(BATCH_BYTES_MAX) };
const PACKAGES = {
  count: BATCH_ITEMS_MAX,
  bytes: BATCH_BYTES_MAX,
  together: BATCH_BYTES_MAX,
  tooLarge: 'BATCH_TOO_LARGE',
  tooMany: 'BATCH_TOO_LARGE',
  params: TOO_LARGE,
} as const;

/** Icon, cover and panel image of each item, and its gallery. */
const FILES = { files: PACKAGES, media: { ...PACKAGES, count: BATCH_ITEMS_MAX * (3 + MEDIA_MAX) } };

/** Importing many packages at once (specification section 5). */
export function batchRoutes(
  app: FastifyInstance,
  guards: Guards,
  parts: ImportParts & { dataDir: string },
): void {
  implement(app, guards.admin, contract.matchPackages, async ({ body, request }) => {
    const described = body.packages.map(({ external_id, name }) => ({ external_id, names: [name] }));
    const reader = { userId: callerOf(request).user_id, language: languageOf(request) };
    return { matches: await matchPackages(parts.submitting.db, described, reader) };
  });
  const form = { dataDir: parts.dataDir, files: FILES, checkedByHandler: CHECKED_WITH_LISTING };
  implementForm(
    app,
    guards.admin,
    contract.uploadBatch,
    form,
    async ({ fields, files, query, request, gone }) => {
      const importing = {
        caller: callerOf(request),
        language: languageOf(request),
        dryRun: query.dry_run === 1,
        ids: new Set<string>(),
        media: files.media,
        gone,
      };
      const running = { importing, log: request.log };
      const batch = { files: files.files, decided: fields.items ?? [] };
      return { results: await runBatch(parts, batch, running) };
    },
  );
}

type Batch = { files: readonly UploadedFile[]; decided: readonly Override[] };

type Running = { importing: Importing; log: FastifyBaseLogger };

/**
 * Imports the packages of files one after the other, holding one of them at a time. What is wrong with one is told in
 * its result and keeps no other back (design section 7, rule 8). When the client goes, the item at hand is the last.
 * @throws VALIDATION_FAILED, BATCH_TOO_LARGE, before anything is stored
 */
async function runBatch(
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
  return appError('BATCH_TOO_LARGE', { params: TOO_LARGE });
}
