import { loadavg } from 'node:os';
import { openStoredDatabases } from './data/databases.ts';
import { quantile, type Table } from './figures.ts';
import { openIssuer } from './lists/issuer.ts';
import { openSite, type Site } from './lists/site.ts';
import type { Bench } from './run.ts';

const SIZE = { count: 10_000, waiting: 5000 };
const READS = 60;
const DECISIONS = 120;
/** Upper limits of p95 in milliseconds. */
const LIST_MAX = 150;
const DECISION_MAX = 200;

async function timeList(site: Site, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < READS; n += 1) times.push((await site.get(path, 'admin')).took);
  return times;
}

/** A page in the middle of the queue, reached by paging. */
async function deepPage(site: Site, path: string): Promise<string> {
  let cursor: string | null = null;
  for (let seen = 0; seen < SIZE.waiting / 2; seen += 100) {
    const { text } = await site.get(
      `${path}&limit=100${cursor === null ? '' : `&cursor=${cursor}`}`,
      'admin',
    );
    cursor = encodeURIComponent(JSON.parse(text).data.next_cursor);
  }
  return `${path}&cursor=${cursor}`;
}

async function waiting(
  site: Site,
  limit: number,
): Promise<{ plugin_key: string; id: number; version: string }[]> {
  const { rows } = await site.pool.query(
    `select p.plugin_key, s.id, v.version from submission s join plugin p on p.id = s.plugin_id
      join plugin_version v on v.id = s.plugin_version_id
      where s.audit_status = 1 and not s.is_superseded order by s.created_at, s.id limit $1`,
    [limit],
  );
  return rows;
}

async function timeViews(site: Site): Promise<number[]> {
  const times: number[] = [];
  for (const { id } of await waiting(site, READS)) {
    times.push((await site.get(`manager/plugin/audit?submission_id=${id}`, 'admin')).took);
  }
  return times;
}

async function timeDecisions(site: Site, verdict: Record<string, unknown>): Promise<number[]> {
  const times: number[] = [];
  for (const { plugin_key, id, version } of await waiting(site, DECISIONS)) {
    times.push(
      await site.post('plugin/audit/status', { plugin_key, submission_id: id, version, ...verdict }, 'admin'),
    );
  }
  return times;
}

/** Review with 5,000 open submissions: paging and filtering the queue, opening a submission and deciding on it. */
export const reviewQueue: Bench = async () => {
  const server = await openStoredDatabases();
  const issuer = await openIssuer();
  const site = await openSite(await server.copy(SIZE), SIZE.count, issuer);
  const queue = 'plugin/audit/list?audit_status=1';
  const { rows: publishers } = await site.pool.query(
    'select nick_name from person join submission on created_by = user_id where audit_status = 1 limit 1',
  );
  const publisher = encodeURIComponent(publishers[0].nick_name);
  const work: [name: string, run: () => Promise<number[]>, max: number | undefined][] = [
    ['the first page', () => timeList(site, queue), LIST_MAX],
    ['a page in the middle', async () => timeList(site, await deepPage(site, queue)), LIST_MAX],
    ['of a tag', () => timeList(site, `${queue}&tag_id=1`), LIST_MAX],
    ['of a publisher', () => timeList(site, `${queue}&publisher=${publisher}`), LIST_MAX],
    ['of a word', () => timeList(site, `${queue}&keyword=a`), LIST_MAX],
    ['of every status', () => timeList(site, 'plugin/audit/list?audit_status=0'), LIST_MAX],
    ['a view', () => timeViews(site), undefined],
    ['an approval', () => timeDecisions(site, { audit_status: 2 }), DECISION_MAX],
    ['a rejection', () => timeDecisions(site, { audit_status: 3, reason: 'Not yet.' }), DECISION_MAX],
  ];
  const rows: Table['rows'] = [];
  for (const [name, run, max] of work) {
    const times = await run();
    const shown = [0.5, 0.95].map((share) => quantile(times, share).toFixed(1));
    rows.push([name, ...shown, max ?? '', (loadavg()[0] ?? 0).toFixed(1)]);
  }
  await site.close();
  issuer.close();
  await server.stop();
  return [
    {
      title: 'A review queue of 5,000, milliseconds at the community service',
      head: ['work', 'p50', 'p95', 'p95 at most', 'load of the machine'],
      rows,
    },
  ];
};
