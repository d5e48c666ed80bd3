import pino from 'pino';
import { Agent, request } from 'undici';
import { createCommunity } from '../../server/community/app.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../server/community/migrations.ts';
import type { CommunityTables } from '../../server/community/schema.ts';
import { migrate } from '../../server/database/migrate.ts';
import { openKysely, openPool } from '../../server/database/pool.ts';

import { addManyPlugins } from '../support/many-plugins.ts';
import { median, quantile, type Table } from './figures.ts';
import type { Bench } from './run.ts';

const silentLog = pino({ level: 'silent' });

const SIZES = [100, 100_000];
const ROUNDS = 7;
const REQUESTS_PER_ROUND = 150;

const LISTS: Readonly<Record<string, string>> = {
  'all, latest': '/api/cmt/plugin/list?limit=24',
  'all, popular': '/api/cmt/plugin/list?limit=24&sort=1',
  'tag, latest': '/api/cmt/plugin/list?limit=24&tag_id=3',
  'tag, popular': '/api/cmt/plugin/list?limit=24&tag_id=3&sort=1',
};

type Site = { size: number; origin: string; close(): Promise<void> };

async function openSite(serverUrl: string, size: number): Promise<Site> {
  const database = `bench_lists_${size}_${process.pid}`;
  const admin = openPool(serverUrl, { applicationName: 'bench', schema: 'public', log: silentLog, max: 1 });
  await admin.query(`create database ${database}`);
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  const pool = openPool(url.href, {
    applicationName: 'bench',
    schema: COMMUNITY_SCHEMA,
    log: silentLog,
    statementTimeoutMs: 300_000,
  });
  await migrate({
    db: openKysely(pool),
    schema: COMMUNITY_SCHEMA,
    migrations: communityMigrations,
    log: silentLog,
  });
  await addManyPlugins(openKysely<CommunityTables>(pool), size);
  const app = await createCommunity({
    pool,
    log: silentLog,
    now: Date.now,
    dataDir: '/nonexistent',
    jwksUrl: 'http://127.0.0.1:9/jwks',
    publishers: 'admins',
    publishing: { limits: [], quotaBytes: 2 ** 30 },
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' });
  const close = async () => {
    await app.close();
    await pool.end();
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
  };
  return { size, origin, close };
}

async function timeRequests(site: Site, path: string, agent: Agent, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const started = performance.now();
    const answer = await request(`${site.origin}${path}`, {
      dispatcher: agent,
      headers: { 'accept-language': 'en-US' },
    });
    const text = await answer.body.text();
    times.push(performance.now() - started);
    if (answer.statusCode !== 200 || !text.includes('"next_cursor":"'))
      throw new Error(`unexpected answer: ${text}`);
  }
  return times;
}

/** The list of 24 at two sizes of the catalogue, interleaved in one run; ratio of their medians. */
export const lists: Bench = async ({ serverUrl }) => {
  const sites = await Promise.all(SIZES.map((size) => openSite(serverUrl, size)));
  const agent = new Agent({ keepAliveTimeout: 60_000 });
  const rows: Table['rows'] = [];
  for (const [name, path] of Object.entries(LISTS)) {
    for (const site of sites) await timeRequests(site, path, agent, 100);
    const times = new Map(sites.map((site) => [site.size, [] as number[]]));
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const medians: number[] = [];
      for (const site of sites) {
        const measured = await timeRequests(site, path, agent, REQUESTS_PER_ROUND);
        times.get(site.size)?.push(...measured);
        medians.push(median(measured));
      }
      ratios.push((medians[1] ?? 0) / (medians[0] ?? 1));
    }
    const cells = SIZES.flatMap((size) =>
      [0.5, 0.99].map((share) => quantile(times.get(size) ?? [], share).toFixed(2)),
    );
    rows.push([name, ...cells, median(ratios).toFixed(2)]);
  }
  await agent.close();
  for (const site of sites) await site.close();
  return [
    {
      title: 'List of 24 plugins, milliseconds at the community service',
      head: ['list', ...SIZES.flatMap((size) => [`p50 at ${size}`, `p99 at ${size}`]), 'ratio of medians'],
      rows,
    },
  ];
};
