import { openPool } from '../../server/database/pool.ts';
import { stderrLog } from '../../test/support/log.ts';
import { makeDataFolder } from '../../test/support/product.ts';
import { type Program, startProgram } from '../../test/support/program.ts';
import { migrateDatabase } from '../data/databases.ts';
import { fillDatabase } from '../data/fill.ts';

export type Site = { gateway: Program; community: Program; close(): Promise<void> };

/** A gateway and a community service in their own processes, with a catalogue of this size that is dropped afterwards. */
export async function openSite(serverUrl: string, plugins: number): Promise<Site> {
  const database = `bench_site_${process.pid}`;
  const admin = openPool(serverUrl, { applicationName: 'bench', schema: 'public', log: stderrLog, max: 1 });
  await admin.query(`create database ${database}`);
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  await migrateDatabase(url.href);
  await fillDatabase(url.href, { count: plugins, waiting: Math.ceil(plugins / 100) });
  const site = await startSite(url.href);
  return {
    ...site,
    async close() {
      await site.close();
      await admin.query(`drop database ${database} with (force)`);
      await admin.end();
    },
  };
}

/** A gateway and a community service in their own processes, on the database with this URL. */
export async function startSite(databaseUrl: string): Promise<Site> {
  const { dir, remove } = await makeDataFolder();
  // Searches of visitors never call the identity service.
  const common = { DATA_DIR: dir, IDENTITY_URL: 'http://127.0.0.1:9' };
  const community = await startProgram({ ...common, DATABASE_URL: databaseUrl, ROLE: 'community' });
  const gateway = await startProgram({
    ...common,
    COMMUNITY_URL: community.origin,
    ROLE: 'gateway',
    // All requests have the same client address.
    RATE_LIMIT_FACTOR: '1000',
  });
  return {
    gateway,
    community,
    async close() {
      await gateway.stop();
      await community.stop();
      await remove();
    },
  };
}
