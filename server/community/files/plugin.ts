import type { FastifyInstance } from 'fastify';
import { measureQueues } from '../../http/gauges.ts';
import { fillCoversRegularly } from './media/generated-cover.ts';
import { countCoverless } from './media/store.ts';

/**
 * What is uploaded and stored. `media` holds pictures, videos and packages, in a folder or a bucket, and makes covers for
 * plugins without one; `forms` reads multipart forms of the contract. Who may see a file is the catalogue's.
 */
export async function files(app: FastifyInstance): Promise<void> {
  const { db, files, pictures, clock: now, log } = app;
  const { registry, makesCovers } = app.community;
  if (makesCovers) fillCoversRegularly(app, { db, files, pictures, now }, log);
  measureQueues(app, { registry, log }, [
    {
      name: 'community_covers_pending',
      help: 'Plugins whose cover has not been generated yet',
      count: () => countCoverless(db),
    },
  ]);
}
