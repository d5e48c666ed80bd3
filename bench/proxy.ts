import type { Table } from './figures.ts';
import { memoryOf } from './proxy/memory.ts';
import {
  startBare,
  startBeside,
  startExpress,
  startNginx,
  startOurs,
  startOursForVisitors,
  startPeers,
  startUpstream,
} from './proxy/processes.ts';
import { speed } from './proxy/speed.ts';
import type { Bench } from './run.ts';

/** Each in a new process, so that memory freed after an earlier load does not hide growth. */
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

/**
 * The gateway beside other proxies, each in its own process with the same upstream. BESIDE is the folder of another
 * checkout whose gateway is measured too.
 */
export const proxy: Bench = async () => {
  const upstream = await startUpstream();
  const nginx = await startNginx(upstream.url);
  const bare = await startBare(upstream.url);
  const ours = await startOurs(upstream.url);
  const express = await startExpress(upstream.url);
  const peers = await startPeers(upstream.url);
  const folder = process.env.BESIDE;
  const beside = folder === undefined ? [] : [await startBeside(upstream.url, folder)];
  const all = [bare, ours, ...beside, ...peers, express, ...(nginx ? [nginx] : [])];
  const title = 'Proxied call, 2 KB JSON, 50 kept connections: ratios to bare @fastify/http-proxy';
  const fast = await speed(title, all);
  for (const { stop } of all) await stop();
  const small = await memory(upstream.url);
  await upstream.stop();
  return [fast, small];
};

/** Cached responses for visitors beside a bare proxy and a caching web server. */
export const cache: Bench = async () => {
  const upstream = await startUpstream();
  const bare = await startBare(upstream.url);
  const ours = await startOursForVisitors(upstream.url);
  const nginx = await startNginx(upstream.url, { caches: true });
  const all = [bare, ours, ...(nginx ? [nginx] : [])];
  const title =
    'Anonymous read, 2 KB JSON, 50 connections: ratios to bare @fastify/http-proxy, which caches nothing';
  const table = await speed(title, all);
  for (const { stop } of all) await stop();
  await upstream.stop();
  return [table];
};
