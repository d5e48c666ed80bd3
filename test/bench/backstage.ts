import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, SignJWT } from 'jose';
import pino from 'pino';
import { Agent, request } from 'undici';
import { createCommunity } from '../../server/community/app.ts';
import { COMMUNITY_SCHEMA, communityMigrations } from '../../server/community/migrations.ts';
import type { CommunityTables } from '../../server/community/schema.ts';
import { migrate } from '../../server/database/migrate.ts';
import { openKysely, openPool, type Pool } from '../../server/database/pool.ts';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER } from '../../shared/user-service.ts';
import { addManyPlugins } from '../support/many-plugins.ts';
import { addManySubmissions } from '../support/many-submissions.ts';
import { median, quantile, type Table } from './figures.ts';
import type { Bench } from './run.ts';

const silentLog = pino({ level: 'silent' });

const SIZES = [
  { plugins: 1000, waiting: 500 },
  { plugins: 100_000, waiting: 5000 },
];
const ROUNDS = 7;
const REQUESTS_PER_ROUND = 40;
const DECISIONS = 200;

const CALLS: Readonly<Record<string, string>> = {
  'audits, waiting': 'plugin/audit/list?audit_status=1',
  'audits, all': 'plugin/audit/list',
  'audits, approved': 'plugin/audit/list?audit_status=2',
  'audits, waiting, tag': 'plugin/audit/list?audit_status=1&tag_id=3',
  'audits, waiting, frequent word': 'plugin/audit/list?audit_status=1&keyword=color',
  'audits, waiting, rare word': 'plugin/audit/list?audit_status=1&keyword=en7x',
  'audits, waiting, publisher': 'plugin/audit/list?audit_status=1&publisher=publisher%207',
  'plugins, latest': 'manager/plugin/list',
  'plugins, most installs': 'manager/plugin/list?sort=installs',
  'plugins, approved, tag, likes': 'manager/plugin/list?audit_status=2&tag_id=3&sort=likes',
  'statistics, a year': 'manager/statistics?days=365',
};

type Site = {
  plugins: number;
  origin: string;
  headers: Record<string, string>;
  pool: Pool;
  close(): Promise<void>;
};

/** Keys of an identity service, and an administrator's token that they have signed. */
async function openAdmin(): Promise<{ jwksUrl: string; authorization: string; close(): void }> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'EdDSA' }] });
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(jwks);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const token = await new SignJWT({ role: 2, nick_name: 'Reviewer', avatar_url: '' })
    .setProtectedHeader({ alg: 'EdDSA', kid: 'bench' })
    .setIssuer(ACCESS_TOKEN_ISSUER)
    .setAudience(ACCESS_TOKEN_AUDIENCE)
    .setSubject('1')
    .setIssuedAt()
    .setExpirationTime('6h')
    .sign(privateKey);
  return {
    jwksUrl: `http://127.0.0.1:${port}/jwks`,
    authorization: `Bearer ${token}`,
    close: () => void server.close(),
  };
}

async function openSite(
  serverUrl: string,
  { plugins, waiting }: (typeof SIZES)[number],
  { jwksUrl, authorization }: { jwksUrl: string; authorization: string },
): Promise<Site> {
  const database = `bench_backstage_${plugins}_${process.pid}`;
  const admin = openPool(serverUrl, { applicationName: 'bench', schema: 'public', log: silentLog, max: 1 });
  await admin.query(`create database ${database}`);
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  const pool = openPool(url.href, {
    applicationName: 'bench',
    schema: COMMUNITY_SCHEMA,
    log: silentLog,
    statementTimeoutMs: 600_000,
  });
  const db = openKysely<CommunityTables>(pool);
  await migrate({ db, schema: COMMUNITY_SCHEMA, migrations: communityMigrations, log: silentLog });
  await addManyPlugins(db, plugins);
  await addManySubmissions(db, waiting);
  const app = await createCommunity({
    pool,
    log: silentLog,
    now: Date.now,
    dataDir: join(tmpdir(), 'bench-backstage'),
    jwksUrl,
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
  return { plugins, origin, headers: { authorization, 'accept-language': 'en-US' }, pool, close };
}

async function timeCall(site: Site, agent: Agent, path: string, body?: unknown): Promise<number> {
  const started = performance.now();
  const answer = await request(`${site.origin}/api/cmt/${path}`, {
    dispatcher: agent,
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...site.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  const taken = performance.now() - started;
  if (answer.statusCode !== 200) throw new Error(`unexpected answer: ${text}`);
  return taken;
}

async function timeCalls(site: Site, agent: Agent, path: string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) times.push(await timeCall(site, agent, path));
  return times;
}

/** Decides what waits longest, one by one, every third time against it. */
async function timeDecisions(site: Site, agent: Agent): Promise<number[]> {
  const { rows } = await site.pool.query(
    `select p.plugin_key, s.id from submission s join plugin p on p.id = s.plugin_id
      where s.audit_status = 1 and not s.is_superseded order by s.created_at, s.id limit $1`,
    [DECISIONS],
  );
  const times: number[] = [];
  for (const [index, { plugin_key, id: submission_id }] of rows.entries()) {
    const verdict = index % 3 === 0 ? { audit_status: 3, reason: 'Not yet.' } : { audit_status: 2 };
    times.push(await timeCall(site, agent, 'plugin/audit/status', { plugin_key, submission_id, ...verdict }));
  }
  return times;
}

async function lists(sites: readonly Site[], agent: Agent): Promise<Table['rows']> {
  const rows: Table['rows'] = [];
  for (const [name, path] of Object.entries(CALLS)) {
    for (const site of sites) await timeCalls(site, agent, path, REQUESTS_PER_ROUND);
    const times = new Map(sites.map((site) => [site.plugins, [] as number[]]));
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const medians: number[] = [];
      for (const site of sites) {
        const measured = await timeCalls(site, agent, path, REQUESTS_PER_ROUND);
        times.get(site.plugins)?.push(...measured);
        medians.push(median(measured));
      }
      ratios.push((medians[1] ?? 0) / (medians[0] ?? 1));
    }
    rows.push([
      name,
      ...sites.flatMap((site) => cellsOf(times.get(site.plugins) ?? [])),
      median(ratios).toFixed(2),
    ]);
  }
  return rows;
}

function cellsOf(times: readonly number[]): string[] {
  return [0.5, 0.95].map((share) => quantile(times, share).toFixed(2));
}

/** Backstage lists and decisions at two sizes of the catalogue, interleaved in one run; ratio of their medians. */
export const backstage: Bench = async ({ serverUrl }) => {
  const admin = await openAdmin();
  const sites: Site[] = [];
  for (const size of SIZES) sites.push(await openSite(serverUrl, size, admin));
  const agent = new Agent({ keepAliveTimeout: 60_000 });
  const rows = await lists(sites, agent);
  const decided: string[] = [];
  const medians: number[] = [];
  for (const site of sites) {
    const times = await timeDecisions(site, agent);
    decided.push(...cellsOf(times));
    medians.push(median(times));
  }
  rows.push(['a decision', ...decided, ((medians[1] ?? 0) / (medians[0] ?? 1)).toFixed(2)]);
  await agent.close();
  for (const site of sites) await site.close();
  admin.close();
  const heads = SIZES.flatMap(({ plugins, waiting }) =>
    ['p50', 'p95'].map((share) => `${share} at ${plugins} (${waiting} waiting)`),
  );
  return [
    {
      title: 'Backstage, pages of 20, milliseconds at the community service',
      head: ['call', ...heads, 'ratio of medians'],
      rows,
    },
  ];
};
