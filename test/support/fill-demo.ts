import { pino } from 'pino';
import { numberChanges } from '../../server/community/catalogue/changes/changes.ts';
import { hasNotes } from '../../server/community/catalogue/changes/store.ts';
import { openJapaneseReader } from '../../server/community/catalogue/japanese/reader.ts';
import { readNextNames } from '../../server/community/catalogue/japanese/reading.ts';
import { countNext } from '../../server/community/catalogue/rounds/rounds.ts';
import { SIMILAR_ROUND } from '../../server/community/catalogue/similar/similar.ts';
import { TREND_ROUND } from '../../server/community/catalogue/trends/trends.ts';
import { openFolderStore } from '../../server/community/files/media/files.ts';
import { COMMUNITY_SCHEMA } from '../../server/community/migrations.ts';
import type { CommunityTables, Db } from '../../server/community/schema.ts';
import { digestPackages } from '../../server/community/use/packages/digests.ts';
import { openReleases } from '../../server/community/use/packages/releases.ts';
import { migrate } from '../../server/database/migrate.ts';
import { openKysely, openPool } from '../../server/database/pool.ts';
import { identityMigrations } from '../../server/identity/migrations.ts';
import { SCHEMA as IDENTITY_SCHEMA } from '../../server/identity/schema.ts';
import { prepareSite } from '../../server/roles/prepare-site.ts';
import { flushAll } from './community.ts';

/** stdout is the report of the tests. */
const log = pino({ level: 'warn' }, pino.destination(2));

/**
 * Fills an empty database with the demo catalogue and the tables of identity, as a product is some minutes after its first
 * start: pages that a test opens at once are whole, and no product does that work again.
 */
export async function fillDemo(url: string, dataDir: string): Promise<void> {
  const pool = openPool(url, { applicationName: 'demo', schema: COMMUNITY_SCHEMA, log });
  const db = openKysely<CommunityTables>(pool);
  const files = openFolderStore(dataDir);
  await prepareSite({ url, pool, log, files, now: Date.now, seed: 'demo', tell: () => undefined });
  const japanese = openJapaneseReader({ log, now: Date.now });
  while ((await readNextNames({ db, japanese, now: Date.now })) > 0);
  await japanese.close();
  const releases = openReleases(files);
  await digestPackages({ db, releases, failed: new Set(), log });
  await releases.close();
  await flushAll(db);
  await countAll(db);
  while (await hasNotes(db)) await numberChanges(db);
  await migrate({ db, schema: IDENTITY_SCHEMA, migrations: identityMigrations, log });
  await pool.end();
}

async function countAll(db: Db): Promise<void> {
  for (const round of [TREND_ROUND, SIMILAR_ROUND])
    while ((await countNext(db, round, Date.now())) === 'batch');
}
