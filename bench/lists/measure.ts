import { flawsOf, type Plan } from '../../test/support/plans.ts';
import { median, quantile, type Table } from '../figures.ts';
import type { Caller, Site } from './site.ts';

/** A list: caller, path for a catalogue size, and the number of rows that may be sorted for a page. */
export type Call = { title: string; as: Caller; path: (count: number) => string; page: number };

const ROUNDS = 5;
const PER_ROUND = 10;
const WARM_UP = 5;

/** Times calls at all sizes, interleaved in one run, and checks the query plans at the largest size. */
export async function measure(title: string, sites: readonly Site[], calls: readonly Call[]): Promise<Table> {
  const rows: Table['rows'] = [];
  for (const call of calls) rows.push(await measureCall(sites, call));
  const shares = sites.flatMap(({ count }) => ['p50', 'p95', 'p99'].map((share) => `${share} at ${count}`));
  const blocks = sites.map(({ count }) => `blocks at ${count}`);
  return {
    title,
    head: ['list', ...shares, 'ratio of medians', ...blocks, 'total', 'plan at the largest'],
    rows,
  };
}

async function measureCall(
  sites: readonly Site[],
  { title, as, path, page }: Call,
): Promise<Table['rows'][0]> {
  const times = new Map(sites.map((site): [Site, number[]] => [site, []]));
  const ratios: number[] = [];
  for (const site of sites) await timesOf(site, path(site.count), as, WARM_UP);
  for (let round = 0; round < ROUNDS; round += 1) {
    const medians: number[] = [];
    for (const site of sites) {
      const measured = await timesOf(site, path(site.count), as, PER_ROUND);
      times.get(site)?.push(...measured);
      medians.push(median(measured));
    }
    ratios.push((medians.at(-1) ?? 0) / (medians[0] ?? 1));
  }
  const largest = sites.at(-1);
  const plans: Plan[][] = [];
  for (const site of sites) plans.push(await site.plansOf(path(site.count), as));
  const problems = [...new Set(plans.at(-1)?.flatMap((plan) => flawsOf(plan, page)))];
  const { text = '' } = largest ? await largest.get(path(largest.count), as) : {};
  const total = /"total":(\d+)/.exec(text)?.[1] ?? '';
  const isEstimated = text.includes('"total_estimated":true');
  return [
    title,
    ...sites.flatMap((site) =>
      [0.5, 0.95, 0.99].map((share) => quantile(times.get(site) ?? [], share).toFixed(1)),
    ),
    median(ratios).toFixed(2),
    ...plans.map((ofSize) => ofSize.reduce((sum, { blocks }) => sum + blocks, 0)),
    isEstimated ? `${total}+` : total,
    problems.length === 0 ? 'good' : problems.join(', '),
  ];
}

async function timesOf(site: Site, path: string, as: Caller, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) times.push((await site.get(path, as)).took);
  return times;
}
