import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import type { Measured } from './processes.ts';

const AUTOCANNON = createRequire(import.meta.url).resolve('autocannon');
const CONNECTIONS = 50;
const CALL = '/api/cmt/plugin/list?limit=24';

/** Answers per second, and times in milliseconds. */
export type Load = {
  rate: number;
  p50: number;
  p99: number;
  /** Processor time of one answer in microseconds, which depends less on other load. */
  cpu: number;
};

const MICROSECONDS_A_TICK = 10_000;

/** Processor time of a process and its children in microseconds (proc(5)). */
function processorTimeOf(pid: number): number {
  const children = globSync(`/proc/${pid}/task/*/children`)
    .flatMap((file) => readFileSync(file, 'utf8').split(' '))
    .filter((word) => word !== '');
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const own = (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_A_TICK;
  return children.reduce((sum, child) => sum + processorTimeOf(Number(child)), own);
}

/** Loads a proxy over 50 keep-alive connections from a separate process. */
export async function load({ name, url, headers, pid }: Measured, seconds: number): Promise<Load> {
  const words = Object.entries(await headers()).flatMap(([header, value]) => ['-H', `${header}=${value}`]);
  const args = ['-c', String(CONNECTIONS), '-d', String(seconds), '-j', '-n', ...words, url + CALL];
  const before = processorTimeOf(pid);
  const { stdout } = await promisify(execFile)(process.execPath, [AUTOCANNON, ...args], {
    maxBuffer: 2 ** 24,
  });
  const { requests, latency, non2xx, errors } = JSON.parse(stdout);
  if (non2xx > 0 || errors > 0) throw new Error(`${name}: ${non2xx} refused, ${errors} broken`);
  const cpu = (processorTimeOf(pid) - before) / requests.total;
  return { rate: requests.average, p50: latency.p50, p99: latency.p99, cpu };
}
