import { median, type Table } from './figures.ts';
import { type Load, load } from './proxy/load.ts';
import { memoryOf } from './proxy/memory.ts';
import {
  type Measured,
  startBare,
  startExpress,
  startNginx,
  startOurs,
  startUpstream,
} from './proxy/processes.ts';
import type { Bench } from './run.ts';

const ROUNDS = 7;
const SECONDS = 4;
const WARM_UP = 3;
const FIGURES = ['rate', 'p50', 'p99', 'cpu'] as const;

/** Ratios to the first in the same round, so that what else the machine does falls on all alike. */
async function speed(all: readonly Measured[]): Promise<Table> {
  for (const measured of all) await load(measured, WARM_UP);
  const rounds: Load[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const loads: Load[] = [];
    for (const measured of all) loads.push(await load(measured, SECONDS));
    rounds.push(loads);
  }
  const ratio = (index: number, figure: keyof Load): string =>
    median(rounds.map((loads) => (loads[index]?.[figure] ?? 0) / (loads[0]?.[figure] ?? 1))).toFixed(2);
  const value = (index: number, figure: keyof Load): number =>
    Math.round(median(rounds.map((loads) => loads[index]?.[figure] ?? 0)));
  return {
    title: 'Proxied call, 2 KB JSON, 50 kept connections: ratios to bare @fastify/http-proxy',
    head: ['proxy', 'rate', 'p50', 'p99', 'CPU a call', 'calls a second', 'p50 ms', 'p99 ms', 'CPU µs'],
    rows: all.map(({ name }, index) => [
      name,
      ...FIGURES.map((figure) => ratio(index, figure)),
      ...FIGURES.map((figure) => value(index, figure)),
    ]),
  };
}

/** Each in a fresh process, so that nothing is hidden in what a load has left free. */
async function memory(upstream: string): Promise<Table> {
  const rows: Table['rows'] = [];
  for (const start of [startOurs, startBare]) {
    const measured = await start(upstream);
    const { idle, upload, download, held, holding } = await memoryOf(measured);
    rows.push([measured.name, ...[idle, upload, download].map(Math.round), held, Math.round(holding)]);
    await measured.stop();
  }
  return {
    title: 'Resident memory of the process, MB',
    head: [
      'proxy',
      'idle',
      'growth, 200 MB up',
      'growth, 200 MB down',
      'idle connections held',
      'growth by them',
    ],
    rows,
  };
}

/** The gateway with everything on beside other proxies, each in a process of its own before the same upstream. */
export const proxy: Bench = async () => {
  const upstream = await startUpstream();
  const nginx = await startNginx(upstream.url);
  const bare = await startBare(upstream.url);
  const ours = await startOurs(upstream.url);
  const express = await startExpress(upstream.url);
  const all = [bare, ours, express, ...(nginx ? [nginx] : [])];
  const fast = await speed(all);
  for (const { stop } of all) await stop();
  const small = await memory(upstream.url);
  await upstream.stop();
  return [fast, small];
};
