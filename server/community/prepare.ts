import type { FastifyBaseLogger } from 'fastify';
import type { Language } from '../../shared/languages.ts';
import { migrate } from '../database/migrate.ts';
import { openKysely, type Pool } from '../database/pool.ts';
import { fillNewSite } from './first-content/first-content.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from './migrations.ts';
import type { CommunityTables } from './schema.ts';

/**
 * Migrates the database, and adds the first tags, marks and help articles to a new one.
 * @returns the languages of the first tags if they were just added
 */
export async function prepareCommunity({
  pool,
  log,
}: {
  pool: Pool;
  log: FastifyBaseLogger;
}): Promise<{ firstTags: Language[] | undefined }> {
  // Migrations have no time limit, nor has waiting for those of other instances.
  const db = openKysely<CommunityTables>(pool, { timeoutMs: 0 });
  await migrate({ db, schema: COMMUNITY_SCHEMA, migrations: communityMigrations, log });
  return { firstTags: await fillNewSite(db, log) };
}
