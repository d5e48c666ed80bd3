import type { FastifyInstance } from 'fastify';
import { latestFeed } from './latest.ts';
import { publisherFeed } from './publisher.ts';
import { removedFeed } from './removed.ts';
import { versionsFeed } from './versions.ts';

/** Lists of the catalogue as Atom feeds, in the reader's language. */
export async function feeds(app: FastifyInstance): Promise<void> {
  await app.register(latestFeed);
  await app.register(publisherFeed);
  await app.register(versionsFeed);
  await app.register(removedFeed);
}
