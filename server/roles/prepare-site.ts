import type { FastifyBaseLogger } from 'fastify';
import type { Language } from '../../shared/languages.ts';
import { withQueries } from '../commands/database.ts';
import { DEMO, importSite, wantsSite } from '../community/bundle/import-site.ts';
import type { Tell } from '../community/catalogue/filling/filling.ts';
import type { FileStore } from '../community/files/media/files.ts';
import { COMMUNITY_SCHEMA } from '../community/migrations.ts';
import { prepareCommunity } from '../community/prepare.ts';
import type { CommunityTables } from '../community/schema.ts';
import { openKysely, type Pool } from '../database/pool.ts';

/**
 * Migrates the database of the community service. An empty one is filled once: with the demo (setting SEED), or else with
 * the first tags and marks, and in both cases with the first help articles.
 * @returns the languages of the first tags, if they were just added and there is no demo
 */
export async function prepareSite({
  url,
  pool,
  log,
  files,
  now,
  seed,
  tell,
}: {
  /** Of the database. */
  url: string;
  pool: Pool;
  log: FastifyBaseLogger;
  files: FileStore;
  /** Milliseconds since 1970. */
  now: () => number;
  seed: 'demo' | 'none';
  /** Gets lines about the progress of the demo. */
  tell: Tell;
}): Promise<{ firstTags: Language[] | undefined }> {
  const prepared = await prepareCommunity({ pool, log });
  if (seed === 'none' || !(await wantsSite(openKysely<CommunityTables>(pool)))) return prepared;
  // Connections of its own: an import needs three, and those of the service may be fewer and limit its statements.
  const purpose = { name: 'demo', schema: COMMUNITY_SCHEMA, log };
  const hasDemo = await withQueries(url, purpose, (db) => importSite({ ...DEMO, db, files, now, tell }));
  return hasDemo ? { firstTags: undefined } : prepared;
}
