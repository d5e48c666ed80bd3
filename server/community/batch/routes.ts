import type { FastifyInstance } from 'fastify';
import { BATCH_BYTES_MAX, BATCH_ITEMS_MAX, MEDIA_MAX } from '../../../shared/constants.ts';
import { contract } from '../../../shared/contract.ts';
import { inMegabytes } from '../../../shared/package/limits.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { implementForm } from '../forms/implement-form.ts';
import { languageOf } from '../language.ts';
import { CHECKED_WITH_LISTING } from '../publish/check-submission.ts';
import type { ImportParts } from './import-item.ts';
import { matchPackages } from './match.ts';
import { runBatch } from './run-batch.ts';

const PACKAGES = {
  count: BATCH_ITEMS_MAX,
  bytes: BATCH_BYTES_MAX,
  together: BATCH_BYTES_MAX,
  tooLarge: 'BATCH_TOO_LARGE',
  tooMany: 'BATCH_TOO_LARGE',
  params: { items: String(BATCH_ITEMS_MAX), size: inMegabytes(BATCH_BYTES_MAX) },
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
