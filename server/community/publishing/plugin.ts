import type { FastifyInstance } from 'fastify';
import { openVideos } from '../files/media/stored-files.ts';
import { batchRoutes } from './batch/routes.ts';
import { openDescriptions } from './descriptions/descriptions.ts';
import { ownRoutes } from './own/own.ts';
import { openPackageCheck } from './packages/package-check.ts';
import { createAttemptLimit } from './publish/limits.ts';
import { publishRoutes } from './publish/routes.ts';
import { tokensRoutes } from './tokens/routes.ts';

/**
 * How plugins get in. `packages` checks a package in a worker, and `descriptions` reads Markdown in one; `publish` takes one with the form, `batch` many at once;
 * `own` is what publishers see of theirs; `tokens` let a command line publish for a person.
 */
export async function publishing(app: FastifyInstance): Promise<void> {
  const { db, files, pictures, dataDir, clock: now } = app;
  const { publishing: quotas, metrics, onLateFailure, editors } = app.community;
  const packages = openPackageCheck({ onLateFailure, hosts: editors });
  const videos = openVideos({ onLateFailure });
  const descriptions = openDescriptions({ onLateFailure });
  app.addHook('onClose', async () => {
    await Promise.all([packages.close(), videos.close(), descriptions.close()]);
  });
  const attempts = createAttemptLimit(quotas.limits, now);
  const dependencies = {
    db,
    quotas,
    now,
    files,
    pictures,
    videos,
    packages,
    descriptions,
    attempts,
    dataDir,
  };
  publishRoutes(app, dependencies);
  batchRoutes(app, { ...dependencies, metrics });
  ownRoutes(app);
  tokensRoutes(app);
}
