import { loadavg } from 'node:os';
import { openStoredDatabases } from './data/databases.ts';
import { BUSY_USER } from './data/plugin.ts';
import { quantile, type Table } from './figures.ts';
import { openIssuer } from './lists/issuer.ts';
import { openSite, type Site } from './lists/site.ts';
import type { Bench } from './run.ts';

const SIZE = { count: 10_000, waiting: 5000 };
const INSTALLS = 1000;
const UPDATES = 50;
const INSTALLERS = 100_000;
const RUNS = 60;
/** Upper limit of p95 in milliseconds. */
const READ_MAX = 150;
const DECISION_MAX = 200;

/** A thousand installs of one user; the fifty latest have an available update. */
async function addInstalls({ pool }: Site): Promise<string[]> {
  await pool.query('delete from plugin_install where user_id = $1', [BUSY_USER]);
  await pool.query(
    `insert into plugin_install (user_id, plugin_id, accepted_version_id, installed_at)
      select $1, id, current_version_id, timestamptz '2023-01-01' + id * interval '1 minute' from plugin
        where is_visible order by id limit $2`,
    [BUSY_USER, INSTALLS],
  );
  const { rows } = await pool.query(
    `with had as (
      select i.plugin_id from plugin_install i where user_id = $1 order by installed_at desc limit $2
    ), added as (
      insert into plugin_version (plugin_id, version, audit_status, allowed_domains, package_key, package_manifest)
        select p.id, '99.0.0', 2, '{new.example}', v.package_key, v.package_manifest
          from had join plugin p on p.id = had.plugin_id join plugin_version v on v.id = p.current_version_id
        returning id, plugin_id
    ) update plugin p set current_version_id = added.id from added where p.id = added.plugin_id returning plugin_key`,
    [BUSY_USER, UPDATES],
  );
  await pool.query('analyze plugin_install; analyze plugin_version');
  return rows.map(({ plugin_key }) => plugin_key);
}

async function timeReads(site: Site, path: (n: number) => string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < RUNS; n += 1) times.push((await site.get(path(n), 'user')).took);
  return times;
}

/** Approves versions of a plugin with this number of installs. */
async function timeReleases(site: Site, installers: number): Promise<number[]> {
  const { rows } = await site.pool.query(
    `select p.id, plugin_key from plugin p where is_visible and not exists (
        select from submission s where s.plugin_id = p.id and s.audit_status = 1) and exists (
        select from submission s where s.plugin_id = p.id) order by p.id desc offset $1 limit 1`,
    [installers > 0 ? 0 : 1],
  );
  const { id, plugin_key } = rows[0];
  await site.pool.query(
    `insert into plugin_install (user_id, plugin_id) select 9000000 + n, $1 from generate_series(1, $2::int) n`,
    [id, installers],
  );
  const times: number[] = [];
  for (let n = 0; n < RUNS; n += 1) {
    const { rows: submitted } = await site.pool.query(
      `with added as (
        insert into plugin_version (plugin_id, version, note, allowed_domains, package_key, package_manifest, created_by)
          select $1, '99.0.' || $2::int, v.note, array['n' || $2::int || '.example'], v.package_key,
              v.package_manifest, v.created_by
            from plugin p join plugin_version v on v.id = p.current_version_id where p.id = $1
          returning id
      ) insert into submission (plugin_id, plugin_version_id, brings_version, is_first, listing, created_by)
        select $1, added.id, true, false, s.listing, s.created_by
          from added, (select * from submission where plugin_id = $1 order by id desc limit 1) s
        returning id`,
      [id, n],
    );
    times.push(
      await site.post(
        'plugin/audit/status',
        { plugin_key, submission_id: submitted[0].id, version: `99.0.${n}`, audit_status: 2 },
        'admin',
      ),
    );
  }
  return times;
}

/** Reads of a user with available updates, and releases of a plugin with many installs. */
export const installs: Bench = async () => {
  const server = await openStoredDatabases();
  const issuer = await openIssuer();
  const site = await openSite(await server.copy(SIZE), SIZE.count, issuer);
  const keys = await addInstalls(site);
  const list = 'plugin/user/list';
  const first = JSON.parse((await site.get(`${list}?limit=${UPDATES}`, 'user')).text).data;
  const after = encodeURIComponent(first.next_cursor);
  const work: [name: string, run: () => Promise<number[]>, max: number][] = [
    ['installed, 50 updates on a page', () => timeReads(site, () => `${list}?limit=${UPDATES}`), READ_MAX],
    ['installed, a later page', () => timeReads(site, () => `${list}?cursor=${after}`), READ_MAX],
    [
      'a plugin with an update, signed in',
      () => timeReads(site, (n) => `plugin?plugin_key=${keys[n % keys.length]}`),
      READ_MAX,
    ],
    ['a release that nobody has', () => timeReleases(site, 0), DECISION_MAX],
    ['a release that 100,000 have', () => timeReleases(site, INSTALLERS), DECISION_MAX],
  ];
  const rows: Table['rows'] = [];
  for (const [name, run, max] of work) {
    const times = await run();
    const shown = [0.5, 0.95].map((share) => quantile(times, share).toFixed(1));
    rows.push([name, ...shown, max, (loadavg()[0] ?? 0).toFixed(1)]);
  }
  await site.close();
  issuer.close();
  await server.stop();
  const offered = first.plugin_list.filter((one: { update: unknown }) => one.update !== null).length;
  if (offered !== UPDATES) throw new Error(`${offered} updates are on offer`);
  return [
    {
      title: `1,000 installs with ${UPDATES} updates on offer, milliseconds at the community service`,
      head: ['work', 'p50', 'p95', 'p95 at most', 'load of the machine'],
      rows,
    },
  ];
};
