import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '../../../../server/launch/node.js';
import { freePort } from '../../../support/port.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../../../../server/main.ts', import.meta.url));
/** Ends the program when its test is killed. */
const FOLLOW = new URL('../../../../server/launch/follow-launcher.js', import.meta.url).href;
const POLL_INTERVAL = 20;

/** A line of a program's log. */
export type Line = Record<string, unknown> & { level: string; msg: string };

/** The program, or one role of it, that can be killed and restarted at the same address. */
export type KillableProgram = {
  origin: string;
  /** Log lines of all its runs. */
  log: Line[];
  /** Its output on stderr. */
  complaints(): string;
  /** Restarts it and waits until it is ready. */
  start(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** Ends it as an operator does; returns when its requests are over. */
  stop(): Promise<void>;
};

/** Starts the program and waits until it is ready. It ends with the test. */
export async function startKillable(
  t: { teardown(work: () => Promise<void>): void },
  settings: Readonly<Record<string, string>>,
): Promise<KillableProgram> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const log: Line[] = [];
  let complaints = '';
  let child: ChildProcess | undefined;

  function launch(): void {
    child = fork(MAIN, [], {
      cwd: ROOT,
      execArgv: ['--import', FOLLOW],
      env: programEnvironment(ROOT, {
        PATH: process.env.PATH,
        LOG_LEVEL: 'info',
        PORT: String(port),
        OPS_PORT: String(opsPort),
        ...settings,
      }),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => addLine(log, line));
    child.stderr?.on('data', (chunk: Buffer) => {
      complaints += chunk;
    });
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  const opsOrigin = `http://127.0.0.1:${opsPort}`;
  const isReady = () =>
    fetch(`${opsOrigin}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
  async function ready(): Promise<void> {
    while (!(await isReady())) {
      if (child && (child.exitCode !== null || child.signalCode !== null))
        throw new Error(`The program ended: ${complaints}`);
      await delay(POLL_INTERVAL);
    }
  }
  t.teardown(() => end('SIGTERM'));
  async function start(): Promise<void> {
    launch();
    await ready();
  }
  await start();
  return {
    origin: `http://127.0.0.1:${port}`,
    log,
    complaints: () => complaints,
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** The last line of a killed program may be cut. */
function addLine(log: Line[], line: string): void {
  try {
    log.push(JSON.parse(line));
  } catch {
    log.push({ level: 'cut', msg: line });
  }
}
