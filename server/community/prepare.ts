import type { FastifyBaseLogger } from 'fastify';
import type { Language } from '../../shared/languages.ts';
import { migrate } from '../database/migrate.ts';
import { openKysely, type Pool } from '../database/pool.ts';
import type { Tell } from './catalogue/filling/filling.ts';
import { fillNewSite, loadDemo } from './demo/load.ts';
import { publishDemo } from './demo/publish-demo.ts';
import { type FileStore, openFolderStore } from './files/media/files.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from './migrations.ts';
import type { CommunityTables } from './schema.ts';

/** Plugins of the demo that are published before the service listens: two rows of the home page. */
const FIRST_PLUGINS = 8;

/**
 * Migrates the database. An empty one is filled once: with the demo catalogue (setting SEED), or else with the first tags
 * and marks, and in both cases with the first help articles.
 * @returns the languages of the first tags if they were just added
 */
export async function prepareCommunity(options: {
  pool: Pool;
  log: FastifyBaseLogger;
  now: () => number;
  dataDir: string;
  /** The file store; the data folder by default. */
  files?: FileStore;
  seed: 'demo' | 'none';
  /** Gets lines about the progress of the demo; they are logged by default. */
  tell?: Tell;
}): Promise<{ firstTags: Language[] | undefined }> {
  const { pool, log, now, dataDir, seed, tell, files = openFolderStore(dataDir) } = options;
  // Migrations have no time limit, nor has waiting for those of other instances.
  const db = openKysely<CommunityTables>(pool, { timeoutMs: 0 });
  await migrate({ db, schema: COMMUNITY_SCHEMA, migrations: communityMigrations, log });
  if (seed === 'demo') {
    await loadDemo(db, { files, log });
    const { signal } = new AbortController();
    await publishDemo({ db, files, dataDir, log, now, tell }, { signal, first: FIRST_PLUGINS });
  }
  return { firstTags: await fillNewSite(db, log) };
}
