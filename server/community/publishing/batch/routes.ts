import { createReadStream } from 'node:fs';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { BATCH_BYTES_MAX, BATCH_ITEMS_MAX, MEDIA_MAX } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { BatchResult } from '../../../../shared/entities/review.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { DEFAULT_PACKAGE_LIMITS, inMegabytes } from '../../../../shared/package/package.ts';
import { packagesIn } from '../../../../shared/package/split-array.ts';
import type { PackageBytes, PackageError } from '../../../../shared/package/splitter.ts';
import { appError, isAppError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { implementForm } from '../../files/forms/implement-form.ts';
import type { UploadedFile } from '../../files/forms/uploads.ts';
import { languageOf } from '../../language.ts';
import type { CommunityMetrics } from '../../metrics.ts';
import { callerOf } from '../../people/auth/caller.ts';
import { CHECKED_WITH_LISTING } from '../publish/check-submission.ts';
import type { PublishDependencies } from '../publish/submit.ts';
import { type Importing, importItem, type Outcome, refusedOutcome } from './import-item.ts';
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

type BatchDependencies = PublishDependencies & { metrics: Pick<CommunityMetrics, 'countPublished'> };

/** Import of many packages (R 5.12). */
export function batchRoutes(app: FastifyInstance, dependencies: BatchDependencies): void {
  implement(app, contract.matchPackages, async ({ body, request }) => {
    const described = body.packages.map(({ external_id, name }) => ({ external_id, names: [name] }));
    const reader = { userId: callerOf(request).user_id, language: languageOf(request) };
    return { matches: await matchPackages(dependencies.db, described, reader) };
  });
  const form = { dataDir: dependencies.dataDir, files: FILES, checkedByHandler: CHECKED_WITH_LISTING };
  implementForm(app, contract.uploadBatch, form, async ({ fields, files, query, request, signal }) => {
    const importing = {
      caller: callerOf(request),
      language: languageOf(request),
      dryRun: query.dry_run === 1,
      ids: new Set<string>(),
      media: files.media,
      signal,
    };
    const running = { importing, log: request.log };
    const batch = { files: files.files, decided: fields.items ?? [] };
    return { results: await runBatch(dependencies, batch, running) };
  });
}

type Batch = { files: readonly UploadedFile[]; decided: readonly Override[] };

type Running = { importing: Importing; log: FastifyBaseLogger };

/**
 * Imports the packages of the files one by one, with one of them in memory at a time. Errors of a package are part of its
 * result and do not stop the others (R 5.12). When the client disconnects, the current item is the last.
 * @throws VALIDATION_FAILED, BATCH_TOO_LARGE, PUBLISH_LIMIT_REACHED in a dry run, before anything is stored
 */
async function runBatch(
  dependencies: BatchDependencies,
  { files, decided }: Batch,
  running: Running,
): Promise<BatchResult[]> {
  const overrideOf = overridesFor(decided, await countItems(files));
  const results: BatchResult[] = [];
  for (const [place, { path, filename }] of files.entries()) {
    for await (const item of packagesIn(createReadStream(path), DEFAULT_PACKAGE_LIMITS)) {
      if (running.importing.signal.aborted) return results;
      const outcome = await outcomeOf(dependencies, item, overrideOf(place, item.index), running);
      results.push({ file: filename, index: item.index, ...outcome });
    }
  }
  return results;
}

async function outcomeOf(
  dependencies: BatchDependencies,
  item: PackageBytes | PackageError,
  override: Override | undefined,
  { importing, log }: Running,
): Promise<Outcome> {
  if (override?.skip) {
    return { ok: true, errors: [], warnings: [finding('ITEM_SKIPPED', { pointer: '' })] };
  }
  const count: BatchDependencies['metrics']['countPublished'] = (outcome) => {
    if (!importing.dryRun) dependencies.metrics.countPublished(outcome);
  };
  if ('finding' in item) {
    count('refused');
    return refusedOutcome([item.finding]);
  }
  try {
    const outcome = await importItem(dependencies, item, override, importing);
    count(outcome.ok ? 'accepted' : 'refused');
    return outcome;
  } catch (error) {
    if (isAppError(error)) throw error;
    count('failed');
    log.error({ err: error }, 'an item of a batch could not be imported');
    return refusedOutcome([finding('ITEM_FAILED', { pointer: item.pointer })]);
  }
}

/** With a limit of 0 bytes no item is kept in memory while they are counted. */
const COUNT_ONLY = { fileBytes: 0, batchItems: Number.MAX_SAFE_INTEGER };

/**
 * Counts the items of each file; an unreadable file has one, which reports the error.
 * @throws VALIDATION_FAILED without files, BATCH_TOO_LARGE
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
