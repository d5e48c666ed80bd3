import { COMMUNITY_SCHEMA } from '../../../server/community/migrations.ts';
import type { CommunityTables } from '../../../server/community/schema.ts';
import { openKysely, openPool } from '../../../server/database/pool.ts';
import { stderrLog } from '../../support/log.ts';
import { addManyPlugins } from '../../support/many-plugins.ts';
import { makeDataFolder } from '../../support/product.ts';
import { type Program, startProgram } from '../../support/program.ts';

export type Site = { gateway: Program; community: Program; close(): Promise<void> };

/** A gateway and a community service, each a process of its own, on a catalogue of so many plugins. */
export async function openSite(
  serverUrl: string,
  plugins: number,
  words?: Readonly<Record<string, readonly string[]>>,
): Promise<Site> {
  const database = `bench_site_${process.pid}`;
  const admin = openPool(serverUrl, { applicationName: 'bench', schema: 'public', log: stderrLog, max: 1 });
  await admin.query(`create database ${database}`);
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  const { dir, remove } = await makeDataFolder();
  // No identity service is asked for what visitors without a session search.
  const common = { DATA_DIR: dir, IDENTITY_URL: 'http://127.0.0.1:9' };
  const community = await startProgram({ ...common, DATABASE_URL: url.href, ROLE: 'community' });
  const pool = openPool(url.href, {
    applicationName: 'bench',
    schema: COMMUNITY_SCHEMA,
    log: stderrLog,
    statementTimeoutMs: 300_000,
  });
  await addManyPlugins(openKysely<CommunityTables>(pool), plugins, words);
  await pool.end();
  const gateway = await startProgram({
    ...common,
    COMMUNITY_URL: community.origin,
    ROLE: 'gateway',
    // All requests come from one address here.
    RATE_LIMIT_FACTOR: '1000',
  });
  return {
    gateway,
    community,
    async close() {
      await gateway.stop();
      await community.stop();
      await remove();
      await admin.query(`drop database ${database} with (force)`);
      await admin.end();
    },
  };
}
