import { startBare, startNginx, startOursForVisitors, startUpstream } from './proxy/processes.ts';
import { speed } from './proxy/speed.ts';
import type { Bench } from './run.ts';

/** Cached responses for visitors, everything on, beside a bare proxy and a web server that caches too. */
export const cache: Bench = async () => {
  const upstream = await startUpstream();
  const bare = await startBare(upstream.url);
  const ours = await startOursForVisitors(upstream.url);
  const nginx = await startNginx(upstream.url, { keeps: true });
  const all = [bare, ours, ...(nginx ? [nginx] : [])];
  const title =
    'Anonymous read, 2 KB JSON, 50 connections: ratios to bare @fastify/http-proxy, which caches nothing';
  const table = await speed(title, all);
  for (const { stop } of all) await stop();
  await upstream.stop();
  return [table];
};
