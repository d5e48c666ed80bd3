import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Create } from 'typebox/value';
import { Pool as HttpPool } from 'undici';
import { COMMUNITY_SCHEMA } from '../server/community/migrations.ts';
import { openPool } from '../server/database/pool.ts';
import { createEncryptor } from '../server/encryption/encryptor.ts';
import { sessionCookieName } from '../server/gateway/session/cookie.ts';
import { newSession } from '../server/gateway/session/session.ts';
import { contract } from '../shared/contract.ts';
import { UserInfo } from '../shared/entities/user.ts';
import { silentLog } from '../test/support/log.ts';
import { makeDataFolder } from '../test/support/product.ts';
import { startProgram } from '../test/support/program.ts';
import { fillInstalls, PEOPLE } from './checks/catalogue.ts';
import { migrateDatabase } from './data/databases.ts';
import { quantile, type Table } from './figures.ts';
import { openIssuer } from './lists/issuer.ts';
import { type PlannedRequest, runOpenLoop } from './load/arrivals.ts';
import type { Bench } from './run.ts';

const RATES = (process.env.BENCH_RATES ?? '100,250,500,1000,2000,3000').split(',').map(Number);
const SECONDS = 10;
const CONNECTIONS = 64;
/** Different people who ask. */
const ASKING = 1000;
/** Milliseconds; what addons.mozilla.org met in 2009. */
const P95_MAX = 50;
const HOUR = 3_600_000;
/** Processor time a second, in milliseconds. */
const IDLE = 50;
/** Clock ticks a second, in which Linux counts processor time. */
const TICKS = 100;
const { path: STATE } = contract.readInstalledState;

const statOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
const parentOf = (pid: number): number => Number(statOf(pid)[1]);

/** Processor time of a process and those that it has started, in milliseconds. */
function processorTime(pid: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const fields = statOf(Number(name));
        const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number);
        return [{ id: Number(name), parent, used: (user ?? 0) + (system ?? 0) }];
      } catch {
        return [];
      }
    });
  const sum = (id: number): number =>
    (processes.find((one) => one.id === id)?.used ?? 0) +
    processes.filter(({ parent }) => parent === id).reduce((all, child) => all + sum(child.id), 0);
  return (sum(pid) * 1000) / TICKS;
}

/** Waits until a service has done what new content gives it to do. */
async function untilIdle(pid: number): Promise<void> {
  for (let used = 1000; used > IDLE; ) {
    const before = processorTime(pid);
    await setTimeout(1000);
    used = processorTime(pid) - before;
  }
}

/** Conditional checks of what people have installed, through a gateway and a community service in their own processes. */
export const checks: Bench = async ({ serverUrl }) => {
  const database = `bench_checks_${process.pid}`;
  const admin = openPool(serverUrl, { applicationName: 'bench', schema: 'public', log: silentLog, max: 1 });
  await admin.query(`create database ${database}`);
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  await migrateDatabase(url.href);
  const filling = openPool(url.href, {
    applicationName: 'fill',
    schema: COMMUNITY_SCHEMA,
    log: silentLog,
    statementTimeoutMs: 0,
    max: 1,
  });
  const { installs, underSixteen } = await fillInstalls(filling);
  await filling.end();

  const issuer = await openIssuer();
  const { dir, remove } = await makeDataFolder();
  const key = randomBytes(32);
  const common = { DATA_DIR: dir, IDENTITY_URL: new URL(issuer.jwksUrl).origin };
  const community = await startProgram({ ...common, DATABASE_URL: url.href, ROLE: 'community' });
  const gateway = await startProgram({
    ...common,
    COMMUNITY_URL: community.origin,
    ROLE: 'gateway',
    SESSION_KEYS: key.toString('base64url'),
    RATE_LIMIT_FACTOR: '100000',
  });
  const encryptor = createEncryptor([key], 'session');
  const name = sessionCookieName(false);
  const http = new HttpPool(gateway.origin, { connections: CONNECTIONS });

  /** A person with a session, who has asked once. */
  async function prepare(n: number): Promise<PlannedRequest> {
    const userId = 1 + ((n * 97) % PEOPLE);
    const { authorization = '' } = await issuer.headersOf(userId, 0);
    const now = Date.now();
    const user = { ...Create(UserInfo), user_id: userId, nick_name: `Person ${userId}` };
    const session = newSession(
      {
        access_token: authorization.replace('Bearer ', ''),
        refresh_token: 'none',
        access_expires: now + 5 * HOUR,
        refresh_expires: now + 5 * HOUR,
        sub: String(userId),
        sid: null,
        login_method: null,
        user,
      },
      now,
    );
    // The number of its parts comes first.
    const cookie = `${name}=1.${encryptor.encrypt(JSON.stringify(session), name)}`;
    const headers = { cookie, 'x-requested-with': 'plugin-square' };
    const first = await http.request({ method: 'GET', path: STATE, headers });
    const text = await first.body.text();
    if (first.statusCode !== 200) throw new Error(`${first.statusCode} ${text}`);
    return { path: STATE, headers: { ...headers, 'if-none-match': String(first.headers.etag) } };
  }
  const { rows: backends } = await admin.query<{ pid: number }>('select pg_backend_pid() as pid');
  const measured = [gateway.pid, community.pid, ...backends.map(({ pid }) => parentOf(pid))];
  await untilIdle(community.pid);
  const asking = await Promise.all(Array.from({ length: ASKING }, (_, n) => prepare(n)));
  let turn = 0;
  const next = (): PlannedRequest => {
    const one = asking[turn % asking.length];
    turn += 1;
    if (!one) throw new Error('nobody asks');
    return one;
  };
  await runOpenLoop(http, { rate: 200, seconds: 5, next, status: 304 });
  const rows: Table['rows'] = [];
  for (const rate of RATES) {
    const before = measured.map(processorTime);
    const { times, failed, seconds } = await runOpenLoop(http, { rate, seconds: SECONDS, next, status: 304 });
    const used = measured.map((pid, index) => processorTime(pid) - (before[index] ?? 0));
    const p95 = quantile(times, 0.95);
    rows.push([
      rate,
      (times.length / seconds).toFixed(0),
      quantile(times, 0.5).toFixed(1),
      p95.toFixed(1),
      p95 <= P95_MAX && failed === 0 ? 'yes' : 'no',
      failed,
      ...used.map((milliseconds) => (milliseconds / times.length).toFixed(2)),
    ]);
  }
  await http.close();
  await gateway.stop();
  await community.stop();
  issuer.close();
  await remove();
  await admin.query(`drop database ${database} with (force)`);
  await admin.end();
  const share = Math.round(underSixteen * 100);
  return [
    {
      title: `Conditional checks of ${ASKING} people through a gateway and a community, ${installs} installs (${share} % of plugins under 16), milliseconds`,
      head: [
        'due a second',
        'answered a second',
        'p50',
        'p95',
        `p95 at most ${P95_MAX}`,
        'failed',
        'processor time of a check, gateway',
        'community',
        'database',
      ],
      rows,
    },
  ];
};
