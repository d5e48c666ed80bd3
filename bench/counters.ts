import { setTimeout as sleep } from 'node:timers/promises';
import { type Interaction, registerUsers, send } from './counters-load.ts';
import { openStoredDatabases } from './data/databases.ts';
import { median, quantile, type Table } from './figures.ts';
import { type Issuer, openIssuer } from './lists/issuer.ts';
import { openSite, type Site } from './lists/site.ts';
import type { Bench } from './run.ts';

const COUNT = 100_000;
const PER_SECOND = 2000;
const SECONDS = 4;
const ROUNDS = 5;
const FIRST_USER = 50_000_000;
const LIST = 'plugin/list?sort=1';

type Case = { title: string; plugins: number };
const CASES: readonly Case[] = [
  { title: 'one plugin', plugins: 1 },
  { title: '10,000 plugins', plugins: 10_000 },
];

/** A like and an install of each user. */
async function interactionsOf(
  keys: readonly string[],
  round: number,
  issuer: Issuer,
): Promise<Interaction[]> {
  const userCount = (PER_SECOND * SECONDS) / 2;
  const interactions: Interaction[] = [];
  for (let n = 0; n < userCount; n += 1) {
    const { authorization = '' } = await issuer.headersOf(FIRST_USER + round * userCount + n, 0);
    const plugin_key = keys[n % keys.length];
    const like = JSON.stringify({ plugin_key, praise: 1 });
    interactions.push({ path: 'plugin/user/praise', body: like, authorization });
    interactions.push({ path: 'plugin/user', body: JSON.stringify({ plugin_key }), authorization });
  }
  return interactions;
}

async function timeList(site: Site, until: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  void until.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    times.push((await site.get(LIST, 'visitor')).took);
    await sleep(50);
  }
  return times;
}

/** Highest number of connections that wait for a lock while `work` runs. */
async function watchWaits(
  site: Site,
  until: Promise<unknown>,
): Promise<{ readers: number; writers: number }> {
  let [readers, writers, isOver] = [0, 0, false];
  void until.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const { rows } = await site.pool.query(
      `select count(*) filter (where query ~* '^\\s*(select|with found)') as readers, count(*) as all
        from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    readers = Math.max(readers, rows[0].readers);
    writers = Math.max(writers, rows[0].all - rows[0].readers);
    await sleep(100);
  }
  return { readers, writers };
}

async function countsOf(site: Site, keys: readonly string[]): Promise<{ likes: number; installs: number }> {
  const { rows } = await site.pool.query(
    `select sum(praise_count)::bigint as likes, sum(install_count)::bigint as installs
      from plugin_counter c join plugin p on p.id = c.plugin_id where p.plugin_key = any ($1)`,
    [keys],
  );
  return rows[0];
}

async function measureCase(site: Site, issuer: Issuer, { title, plugins }: Case): Promise<Table['rows'][0]> {
  const { rows } = await site.pool.query(
    'select p.plugin_key from plugin p where is_visible order by id limit $1',
    [plugins],
  );
  const keys: string[] = rows.map((row) => row.plugin_key);
  const idle = await timeList(site, sleep(2000));
  const before = await countsOf(site, keys);
  const rounds: { p50: number; p95: number; p99: number; list: number }[] = [];
  let [failed, readers, writers, sentCount] = [0, 0, 0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const interactions = await interactionsOf(keys, round + plugins, issuer);
    await registerUsers({ origin: site.origin, interactions });
    const sent = send({ origin: site.origin, interactions, perSecond: PER_SECOND });
    const [answered, list, waits] = await Promise.all([sent, timeList(site, sent), watchWaits(site, sent)]);
    const [p50 = 0, p95 = 0, p99 = 0] = [0.5, 0.95, 0.99].map((share) => quantile(answered.times, share));
    rounds.push({ p50, p95, p99, list: quantile(list, 0.95) });
    failed += answered.failed;
    sentCount += interactions.length;
    readers = Math.max(readers, waits.readers);
    writers = Math.max(writers, waits.writers);
  }
  const after = await countsOf(site, keys);
  const isExact =
    after.likes - before.likes === sentCount / 2 && after.installs - before.installs === sentCount / 2;
  const cell = (name: 'p50' | 'p95' | 'p99' | 'list') =>
    median(rounds.map((round) => round[name])).toFixed(1);
  return [
    title,
    cell('p50'),
    cell('p95'),
    cell('p99'),
    failed,
    isExact ? 'exact' : `${after.likes - before.likes} of ${sentCount / 2}`,
    quantile(idle, 0.95).toFixed(1),
    cell('list'),
    readers,
    writers,
  ];
}

/** Likes and installs at a constant rate with durable settings, while lists are read. */
export const counters: Bench = async () => {
  const server = await openStoredDatabases();
  const issuer = await openIssuer();
  const url = await server.copy({ count: COUNT, waiting: COUNT / 100 });
  const site = await openSite(url, COUNT, issuer);
  const rows: Table['rows'] = [];
  for (const one of CASES) rows.push(await measureCase(site, issuer, one));
  await site.close();
  issuer.close();
  await server.stop();
  return [
    {
      title: `${PER_SECOND} likes and installs a second on ${COUNT} plugins, milliseconds`,
      head: [
        'on',
        'p50',
        'p95',
        'p99',
        'failed',
        'counters',
        'list p95, idle',
        'list p95, meanwhile',
        'lists waiting for a lock',
        'writers waiting for a lock',
      ],
      rows,
    },
  ];
};
