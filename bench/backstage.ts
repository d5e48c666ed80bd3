import { openStoredDatabases } from './data/databases.ts';
import { median, quantile, type Table } from './figures.ts';
import { openIssuer } from './lists/issuer.ts';
import { openSite, type Site } from './lists/site.ts';
import type { Bench } from './run.ts';

const SIZES = [10_000, 100_000];
const DECISIONS = 60;
const READS = 100;

/** Decides on the oldest submissions, one by one; rejects every third. */
async function timeDecisions(site: Site): Promise<number[]> {
  const { rows } = await site.pool.query(
    `select p.plugin_key, s.id, v.version from submission s join plugin p on p.id = s.plugin_id
      join plugin_version v on v.id = s.plugin_version_id
      where s.audit_status = 1 and not s.is_superseded order by s.created_at, s.id limit $1`,
    [DECISIONS],
  );
  const times: number[] = [];
  for (const [index, { plugin_key, id: submission_id, version }] of rows.entries()) {
    const verdict = index % 3 === 0 ? { audit_status: 3, reason: 'Not yet.' } : { audit_status: 2 };
    times.push(
      await site.post('plugin/audit/status', { plugin_key, submission_id, version, ...verdict }, 'admin'),
    );
  }
  return times;
}

async function timeStatistics(site: Site): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < READS; n += 1) {
    times.push((await site.get('manager/statistics?days=365', 'admin')).took);
  }
  return times;
}

const WORKS: Readonly<Record<string, (site: Site) => Promise<number[]>>> = {
  'statistics, a year': timeStatistics,
  'a decision': timeDecisions,
};

/** Work of administrators except lists (see `lists`), at two sizes of the catalogue. */
export const backstage: Bench = async () => {
  const server = await openStoredDatabases();
  const issuer = await openIssuer();
  const sites: Site[] = [];
  for (const count of SIZES) {
    const size = { count, waiting: Math.ceil(count / 100) };
    sites.push(await openSite(await server.copy(size), count, issuer));
  }
  const rows: Table['rows'] = [];
  for (const [name, work] of Object.entries(WORKS)) {
    const times: number[][] = [];
    for (const site of sites) times.push(await work(site));
    const medians = times.map(median);
    rows.push([
      name,
      ...times.flatMap((taken) => [0.5, 0.95].map((share) => quantile(taken, share).toFixed(2))),
      ((medians[1] ?? 0) / (medians[0] ?? 1)).toFixed(2),
    ]);
  }
  for (const site of sites) await site.close();
  issuer.close();
  await server.stop();
  const heads = SIZES.flatMap((count) => ['p50', 'p95'].map((share) => `${share} at ${count}`));
  return [
    {
      title: 'Backstage, milliseconds at the community service',
      head: ['work', ...heads, 'ratio of medians'],
      rows,
    },
  ];
};
