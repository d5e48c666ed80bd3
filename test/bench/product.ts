import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The whole product, started as `npm start` starts it, after its installing and building. */
export type Product = { origin: string; secondsToFirstAnswer: number; pid: number; stop(): Promise<void> };

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port could be had');
  return address.port;
}

export async function makeDataDir(): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'plugin-square-bench-'));
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}

/** Starts the product on a data folder and waits for its first answered home page. */
export async function startProduct(dataDir: string): Promise<Product> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const started = performance.now();
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const origin = `http://localhost:${port}`;
  await firstAnswer(`${origin}/plugins/`, child);
  const secondsToFirstAnswer = (performance.now() - started) / 1000;
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { origin, secondsToFirstAnswer, pid: child.pid ?? 0, stop };
}

async function firstAnswer(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const status = await fetch(url).then(
      (answer) => answer.text().then(() => answer.status),
      () => 0,
    );
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the product ended with ${child.exitCode}`);
}

/** Proportional set size of a process in MiB: shared pages are divided among those who share them. */
function mebibytesOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
}

function parentsByPid(): Map<number, number> {
  const stats = globSync('/proc/[0-9]*/stat').flatMap((file): [number, number][] => {
    try {
      const text = readFileSync(file, 'utf8');
      return [[Number(text.split(' ', 1)[0]), Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])]];
    } catch {
      return [];
    }
  });
  return new Map(stats);
}

/** Memory of the program and of its database with all its children. */
export function memoryOf(product: Product): { program: number; database: number } {
  const parents = parentsByPid();
  const below = (pid: number): number[] =>
    [...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)]);
  const database = below(product.pid).reduce((sum, pid) => sum + mebibytesOf(pid), 0);
  return { program: mebibytesOf(product.pid), database };
}
