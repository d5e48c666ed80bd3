import type { FastifyBaseLogger } from 'fastify';
import type { Language } from '../../shared/languages.ts';
import { migrate } from '../database/migrate.ts';
import { openKysely, type Pool } from '../database/pool.ts';
import { loadDemo, loadFirstMarks, loadFirstTags } from './demo/load.ts';
import { publishDemo } from './demo/publish-demo.ts';
import { type FileStore, openFolderStore } from './media/files.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from './migrations.ts';
import type { CommunityTables } from './schema.ts';

/** Plugins of the demo that are there before the first page: two rows of the home page. */
const FIRST_PLUGINS = 8;

/**
 * Brings the database up to date. An empty one is filled, once: with the demo catalogue when that is asked for, else with
 * tags and marks to begin with; of the tags' names it then answers the languages.
 */
export async function prepareCommunity(options: {
  pool: Pool;
  log: FastifyBaseLogger;
  now: () => number;
  dataDir: string;
  /** Where files are stored; the data folder unless given. */
  files?: FileStore;
  seed: 'demo' | 'none';
}): Promise<{ firstTags: Language[] | undefined }> {
  const { pool, log, now, dataDir, seed, files = openFolderStore(dataDir) } = options;
  // A migration takes as long as it takes, and so do those of other instances that it waits for.
  const db = openKysely<CommunityTables>(pool, { timeoutMs: 0 });
  await migrate({ db, schema: COMMUNITY_SCHEMA, migrations: communityMigrations, log });
  if (seed === 'demo') {
    await loadDemo(db, { files, log });
    const { signal } = new AbortController();
    await publishDemo({ db, files, dataDir, log, now }, { signal, first: FIRST_PLUGINS });
  }
  await loadFirstMarks(db);
  return { firstTags: await loadFirstTags(db, log) };
}
