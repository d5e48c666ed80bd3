import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';

interface Launched {
  launcher: ChildProcessByStdio<null, Readable, null>;
  /** Process id of the program. */
  pid: number;
  /** Output of the program after its process id. */
  lines: string[];
}

async function launch(env: NodeJS.ProcessEnv = process.env): Promise<Launched> {
  const [launcherScript, program] = ['launch.js', 'program.js'].map((name) =>
    join(import.meta.dirname, 'fixtures', name),
  );
  const args = [launcherScript ?? '', program ?? ''];
  const launcher = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const reader = createInterface({ input: launcher.stdout });
  const [pid] = await once(reader, 'line');
  reader.on('line', (line) => lines.push(line));
  return { launcher, pid: Number(pid), lines };
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

t.test(
  'a signal reaches the program once, however often it comes, and its exit code comes back',
  async (t) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const { launcher, pid, lines } = await launch();
      launcher.kill(signal);
      await sleep(50);
      launcher.kill(signal);
      const [code] = await once(launcher, 'close');
      t.equal(code, 7);
      t.strictSame(lines, [signal]);
      t.notOk(exists(pid));
    }
  },
);

t.test('closing the terminal ends the program gracefully', async (t) => {
  const { launcher, lines } = await launch();
  launcher.kill('SIGHUP');
  const [code] = await once(launcher, 'close');
  t.equal(code, 7);
  t.strictSame(lines, ['SIGTERM']);
});

t.test('the exit code of a killed program is 128 plus the signal number', async (t) => {
  const { launcher, pid } = await launch();
  process.kill(pid, 'SIGKILL');
  const [code] = await once(launcher, 'close');
  t.equal(code, 137);
});

t.test('after kill -9 of the launcher the program ends', async (t) => {
  const { launcher, lines } = await launch();
  launcher.kill('SIGKILL');
  await once(launcher, 'close');
  t.strictSame(lines, ['SIGTERM']);
});
