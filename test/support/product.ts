import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadCatalogue } from '../../server/community/demo/catalogue.ts';
import { programEnvironment } from '../../server/launch/node.js';
import { freePort } from './port.ts';
import { until } from './until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
/** Ends the product if its test or bench was killed or has failed. */
const FOLLOW = new URL('../../server/launch/follow-launcher.js', import.meta.url).href;
const START_WITHIN = 120_000;

/** The whole product like with `npm start`, without installing and building. */
export type Product = {
  origin: string;
  pid: number;
  /** Time from its start to the first home page. */
  secondsToFirstAnswer: number;
  stop(): Promise<void>;
};

/** Starts the product on free ports or the given ones, and waits for the first home page. */
export async function startProduct(
  dataDir: string,
  settings: Record<string, string> = {},
  at: { port?: number } = {},
): Promise<Product> {
  const [port, opsPort] = [at.port ?? (await freePort()), await freePort()];
  const started = performance.now();
  const child = fork(MAIN, [], {
    cwd: ROOT,
    execArgv: ['--import', FOLLOW],
    env: programEnvironment(ROOT, {
      ...process.env,
      LOG_LEVEL: 'warn',
      ...settings,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      DATA_DIR: dataDir,
    }),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const origin = `http://localhost:${port}`;
  await firstAnswer(`${origin}/plugins/`, child).catch(async (error: unknown) => {
    await stopped(child);
    throw error;
  });
  const secondsToFirstAnswer = (performance.now() - started) / 1000;
  return { origin, pid: child.pid ?? 0, secondsToFirstAnswer, stop: () => stopped(child) };
}

/** Waits until the whole demo catalogue is published, which takes longer than the start. */
export async function demoPublished(origin: string): Promise<void> {
  const { plugins } = loadCatalogue();
  await until(async () => {
    const answer = await fetch(`${origin}/api/cmt/plugin/list`, {
      headers: { 'x-requested-with': 'plugin-square' },
    });
    const { data }: { data: { total: number } } = JSON.parse(await answer.text());
    // The gateway limits the calls of an address per minute.
    return data.total >= plugins.length || delay(250, false);
  });
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** A data folder for one product, deleted with its database, which is in another folder when root started it. */
export async function makeDataFolder(): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'plugin-square-product-'));
  const remove = async () => {
    const pointer = await readFile(join(dir, 'database.json'), 'utf8').catch(() => '{}');
    const { home }: { home?: string } = JSON.parse(pointer);
    for (const folder of home ? [dir, home] : [dir]) await rm(folder, { recursive: true, force: true });
  };
  return { dir, remove };
}

async function firstAnswer(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_WITHIN;
  while (Date.now() < deadline) {
    if (child.exitCode !== null)
      throw new Error(`The product ended with ${child.exitCode} before it answered.`);
    const ok = await fetch(url).then(
      async (answer) => (await answer.text()) !== '' && answer.ok,
      () => false,
    );
    if (ok) return;
    await delay(20);
  }
  throw new Error(`${url} did not answer within ${START_WITHIN} ms.`);
}
