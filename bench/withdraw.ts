import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { type Interaction, registerUsers, send } from './counters-load.ts';
import { openStoredDatabases } from './data/databases.ts';
import { REVIEWER } from './data/plugin.ts';
import { quantile, type Table } from './figures.ts';
import { type Issuer, openIssuer } from './lists/issuer.ts';
import { openSite, type Site } from './lists/site.ts';
import type { Bench } from './run.ts';

const SIZE = { count: 1000, waiting: 100 };
const INSTALLS = 1_000_000;
/** Installs of one statement, which a time limit ends. */
const FILL = 50_000;
const FIRST_INSTALLER = 60_000_000;
const FIRST_LIKER = 70_000_000;
const PER_SECOND = 200;
const SECONDS = 20;

/** The key of a plugin that this many users have installed. */
async function addInstalled({ pool }: Site): Promise<string> {
  const { rows } = await pool.query('select id, plugin_key from plugin where is_visible order by id limit 1');
  await pool.query('delete from plugin_install where plugin_id = $1', [rows[0].id]);
  for (let from = 0; from < INSTALLS; from += FILL)
    await pool.query(
      'insert into plugin_install (user_id, plugin_id) select $1::bigint + n, $2::bigint from generate_series(1, $3::int) n',
      [FIRST_INSTALLER + from, rows[0].id, FILL],
    );
  await pool.query('analyze plugin_install');
  return rows[0].plugin_key;
}

/** A like of each of some users, of one of the other plugins. */
async function likesOf(site: Site, issuer: Issuer, round: number): Promise<Interaction[]> {
  const { rows } = await site.pool.query(
    'select plugin_key from plugin where is_visible order by id offset 1 limit 500',
  );
  const count = PER_SECOND * SECONDS;
  const likes: Interaction[] = [];
  for (let n = 0; n < count; n += 1) {
    const { authorization = '' } = await issuer.headersOf(FIRST_LIKER + round * count + n, 0);
    const body = JSON.stringify({ plugin_key: rows[n % rows.length].plugin_key, praise: 1 });
    likes.push({ path: 'plugin/user/praise', body, authorization });
  }
  return likes;
}

async function withdraw({ origin }: Site, issuer: Issuer, plugin_key: string): Promise<void> {
  const answer = await request(`${origin}/api/cmt/manager/plugin/withdrawn`, {
    method: 'PUT',
    headers: { ...(await issuer.headersOf(REVIEWER, 2)), 'content-type': 'application/json' },
    body: JSON.stringify({
      plugin_key,
      is_withdrawn: true,
      reason: 'malware',
      text: { 'en-US': 'It sends files to a stranger.' },
      must_stop: false,
    }),
  });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`the withdrawal answered ${answer.statusCode}`);
}

/** Seconds until everybody is told. */
async function timeTelling({ pool }: Site): Promise<number> {
  const started = performance.now();
  for (;;) {
    const { rows } = await pool.query('select from withdrawal where told_at is null');
    if (rows.length === 0) return (performance.now() - started) / 1000;
    await sleep(200);
  }
}

/** A million notices of a withdrawal, and likes of others meanwhile. */
export const withdrawBench: Bench = async () => {
  const server = await openStoredDatabases();
  const issuer = await openIssuer();
  const site = await openSite(await server.copy(SIZE), SIZE.count, issuer);
  const key = await addInstalled(site);
  const { origin } = site;
  const rounds = [await likesOf(site, issuer, 0), await likesOf(site, issuer, 1)];
  for (const interactions of rounds) await registerUsers({ origin, interactions });
  const before = await send({ origin, interactions: rounds[0] ?? [], perSecond: PER_SECOND });
  await withdraw(site, issuer, key);
  const [meanwhile, seconds] = await Promise.all([
    send({ origin, interactions: rounds[1] ?? [], perSecond: PER_SECOND }),
    timeTelling(site),
  ]);
  const { rows } = await site.pool.query(
    `select count(*) as all, count(distinct user_id) as users from notice where kind = 'installed_withdrawn'`,
  );
  if (rows[0].all !== INSTALLS || rows[0].users !== INSTALLS)
    throw new Error(`${rows[0].all} notices to ${rows[0].users} users`);
  await site.close();
  issuer.close();
  await server.stop();
  const likes = (name: string, { times, failed }: typeof before): Table['rows'][number] => [
    name,
    ...[0.5, 0.95, 0.99].map((share) => quantile(times, share).toFixed(1)),
    failed,
  ];
  return [
    {
      title: `Likes of other plugins, ${PER_SECOND} a second for ${SECONDS} s, milliseconds`,
      head: ['while', 'p50', 'p95', 'p99', 'failed'],
      rows: [
        likes('nothing else happens', before),
        likes(`${INSTALLS.toLocaleString('en-US')} users are told of a withdrawal`, meanwhile),
      ],
    },
    {
      title: 'Notices of a withdrawal',
      head: ['users', 'seconds', 'a second'],
      rows: [[INSTALLS, seconds.toFixed(0), (INSTALLS / seconds).toFixed(0)]],
    },
  ];
};
