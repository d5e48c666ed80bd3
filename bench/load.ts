import { Pool } from 'undici';
import { median, quantile, type Table } from './figures.ts';
import { type OpenLoopResult, runOpenLoop } from './load/arrivals.ts';
import { searchMix, seeded } from './load/search-mix.ts';
import { openSite } from './load/site.ts';
import type { Bench } from './run.ts';

const PLUGINS = Number(process.env.BENCH_PLUGINS ?? 100_000);
const ROUNDS = 5;
const SECONDS = 10;
const WARM_UP = 10;
const CONNECTIONS = 64;

/** Searches per second published by Open VSX for its staging site, with their results. */
const PEER = { rate: 27.9, mean: 175, p95: 305, failed: '15 %' };
const TIMES = [1, 50];

/** Number of all responses of the gateway's cache so far, and of cached ones. */
async function cacheCountersOf(opsOrigin: string): Promise<{ all: number; cached: number }> {
  const text = await fetch(`${opsOrigin}/metrics`).then((answer) => answer.text());
  let [all, cached] = [0, 0];
  for (const [, outcome, count] of text.matchAll(
    /^bff_cache_total\{(?=[^}]*cache="answers")[^}]*outcome="(\w+)"[^}]*\} (\d+)/gm,
  )) {
    all += Number(count);
    if (outcome !== 'miss') cached += Number(count);
  }
  return { all, cached };
}

function row(rate: number, rounds: readonly OpenLoopResult[], cachedShare: number): Table['rows'][number] {
  const of = (figure: (times: readonly number[]) => number): string =>
    median(rounds.map(({ times }) => figure(times))).toFixed(1);
  return [
    'this product',
    (rounds.reduce((sum, { times, seconds }) => sum + times.length / seconds, 0) / rounds.length).toFixed(0),
    rate.toFixed(0),
    of((times) => times.reduce((sum, time) => sum + time, 0) / times.length),
    of((times) => quantile(times, 0.5)),
    of((times) => quantile(times, 0.95)),
    of((times) => quantile(times, 0.99)),
    rounds.reduce((sum, { failed }) => sum + failed, 0),
    `${Math.round(cachedShare * 100)} %`,
  ];
}

/** Searches in six languages at a constant rate of arrival through the gateway: at the peer's rate, and at 50 times it. */
export const load: Bench = async ({ serverUrl }) => {
  const site = await openSite(serverUrl, PLUGINS);
  const pool = new Pool(site.gateway.origin, { connections: CONNECTIONS });
  const next = searchMix(seeded(8), PLUGINS);
  await runOpenLoop(pool, { rate: 300, seconds: WARM_UP, next });
  const rows: Table['rows'] = [];
  for (const times of TIMES) {
    const rate = PEER.rate * times;
    const before = await cacheCountersOf(site.gateway.opsOrigin);
    const rounds: OpenLoopResult[] = [];
    for (let n = 0; n < ROUNDS; n += 1)
      rounds.push(await runOpenLoop(pool, { rate, seconds: SECONDS, next }));
    const after = await cacheCountersOf(site.gateway.opsOrigin);
    rows.push(row(rate, rounds, (after.cached - before.cached) / (after.all - before.all)));
  }
  await pool.close();
  await site.close();
  return [
    {
      title: `Searches at a constant rate of arrival through the gateway, ${PLUGINS} plugins, milliseconds`,
      head: [
        'site',
        'answered a second',
        'due a second',
        'mean',
        'p50',
        'p95',
        'p99',
        'failed',
        'from the store',
      ],
      rows: [
        ['Open VSX staging, as published', PEER.rate, '', PEER.mean, '', PEER.p95, '', PEER.failed, ''],
        ...rows,
      ],
    },
  ];
};
