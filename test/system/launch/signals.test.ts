import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { findHome } from '../../../packages/embedded-postgres/home.ts';
import { createCheckout } from '../../support/checkout.ts';
import { hasEnded } from '../../support/child-process.ts';
import { freePort } from '../../support/port.ts';
import { makeDataFolder } from '../../support/product.ts';
import { until } from '../../support/until.ts';

type Site = {
  /** The launcher. */
  child: ReturnType<typeof spawn>;
  origin: string;
  /** Command lines of its processes, the database's included. */
  processes(): string[];
  output(): string;
};

/** Command lines that contain one of the words. */
function processesOf(words: readonly (string | undefined)[]): string[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => words.some((word) => word !== undefined && line.includes(word)));
}

/** Runs a script of a checkout with a new embedded database. */
async function run(t: Test, root: string, script: string[]): Promise<Site> {
  const data = await makeDataFolder();
  t.teardown(data.remove);
  const [port, opsPort] = [await freePort(), await freePort()];
  let output = '';
  const [file = '', ...args] = script;
  const child = spawn(process.execPath, [join(root, file), ...args], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: undefined,
      DATA_DIR: data.dir,
      OPS_PORT: String(opsPort),
      PORT: String(port),
      SEED: 'none',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return {
    child,
    origin: `http://localhost:${port}`,
    processes: () => processesOf([root, findHome(data.dir)]),
    output: () => output,
  };
}

const isDatabase = (line: string): boolean => line.includes('/bin/postgres ');

async function signalled({ child }: Site, signals: readonly NodeJS.Signals[]): Promise<void> {
  const exit = hasEnded(child) ? undefined : once(child, 'exit');
  for (const signal of signals) child.kill(signal);
  await exit;
}

t.test('development', async (t) => {
  const root = await createCheckout(t);

  for (const signals of [['SIGTERM'], ['SIGINT'], ['SIGKILL']] as const) {
    t.test(`${signals} during a restart ends every process`, async (t) => {
      const site = await run(t, root, ['server/launch/start.js', '--dev']);
      await until(async () => (await fetch(`${site.origin}/plugins/`).catch(() => undefined))?.ok);
      t.ok(site.processes().some(isDatabase), 'the database runs');
      const now = new Date();
      await utimes(join(root, 'server', 'main.ts'), now, now);
      await until(() => site.output().includes('Restarting the services: server/main.ts has changed'));
      await signalled(site, signals);
      await until(() => site.processes().length === 0);
    });
  }
});

t.test('the program', async (t) => {
  const root = await createCheckout(t);

  for (const signals of [['SIGTERM'], ['SIGINT', 'SIGTERM']] as const) {
    t.test(`${signals.join(' and ')} while the database starts ends every process`, async (t) => {
      const site = await run(t, root, ['server/main.ts']);
      await until(() => site.processes().some(isDatabase));
      await signalled(site, signals);
      await until(() => site.processes().length === 0);
    });
  }
});
