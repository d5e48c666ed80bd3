import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const START_WITHIN = 120_000;

type Test = { teardown(action: () => Promise<void>): unknown };

/**
 * Origin of a running product: the one of BASE_URL, else one started for this test on free ports with a data folder
 * of its own, stopped and removed after the test.
 */
export async function runningProduct(t: Test, settings: Record<string, string> = {}): Promise<string> {
  const given = process.env.BASE_URL;
  if (given !== undefined) return new URL(given).origin;
  const dataDir = await mkdtemp(join(tmpdir(), 'plugin-square-e2e-'));
  const [port, opsPort] = await freePorts();
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    env: {
      ...process.env,
      LOG_LEVEL: 'warn',
      ...settings,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  t.teardown(async () => {
    if (child.exitCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    await removeData(dataDir);
  });
  const origin = `http://localhost:${port}`;
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The product ended with ${code} before it answered.`);
  });
  await Promise.race([firstAnswer(`${origin}/plugins/`), failed]);
  return origin;
}

/** Removes a data folder, and its database where that lies elsewhere because root started the product. */
async function removeData(dataDir: string): Promise<void> {
  const pointer = await readFile(join(dataDir, 'database.json'), 'utf8').catch(() => '{}');
  const { home }: { home?: string } = JSON.parse(pointer);
  for (const folder of home ? [dataDir, home] : [dataDir]) await rm(folder, { recursive: true, force: true });
}

async function firstAnswer(url: string): Promise<void> {
  const deadline = Date.now() + START_WITHIN;
  while (Date.now() < deadline) {
    const ok = await fetch(url).then(
      async (answer) => (await answer.text()) !== '' && answer.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} did not answer within ${START_WITHIN} ms.`);
}

/** Two ports that were free a moment ago. */
async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()].map((server) => server.listen(0, '127.0.0.1'));
  const [first = 0, second = 0] = await Promise.all(
    servers.map(async (server) => {
      await once(server, 'listening');
      const address = server.address();
      return address !== null && typeof address === 'object' ? address.port : 0;
    }),
  );
  for (const server of servers) server.close();
  return [first, second];
}
