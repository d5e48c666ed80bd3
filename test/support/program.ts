import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '../../server/launch/node.js';
import { endChild, hasEnded } from './child-process.ts';
import { freePort } from './port.ts';
import { SERVICE_KEYS_SETTING } from './service-keys.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
/** Ends the program if its test or bench was killed. */
const FOLLOW = new URL('../../server/launch/follow-launcher.js', import.meta.url).href;
const ANSWER_MEMORY = new URL('answer-memory.ts', import.meta.url).href;
/** Milliseconds between two questions; each costs the program that is starting a little. */
const POLL_INTERVAL = 50;

/** Memory in bytes after a full garbage collection. */
export type Left = { heap: number; resident: number };

/** A line of a program's log. */
export type Line = Record<string, unknown> & { level: string; msg: string };

/** The program in its own process, with the role and database of its settings. */
export type Program = {
  origin: string;
  opsOrigin: string;
  /** Of its current run. */
  readonly pid: number;
  /** Time from its first start until it was ready. */
  secondsToReady: number;
  /** Log lines of all its runs. */
  log: Line[];
  /** Its output on stderr. */
  complaints(): string;
  /** Only for a program that was started with `answersMemory`. */
  left(): Promise<Left>;
  /** Starts it again at the same address, and waits until it is ready. */
  start(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** Ends it as an operator does; returns when its requests are over. */
  stop(): Promise<void>;
};

type Options = {
  /** The test that it ends with. */
  t?: { teardown(work: () => Promise<void>): void };
  port?: number;
  /** Loads what answers `left`, which costs some memory itself. */
  answersMemory?: boolean;
  /** Page whose first answer makes it ready, in place of the answer to operators. */
  readyWith?: string;
};

/** Starts the program with the environment of the launcher, and waits until it is ready. */
export async function startProgram(
  settings: Readonly<Record<string, string | undefined>>,
  { t, port: wanted, answersMemory = false, readyWith }: Options = {},
): Promise<Program> {
  const [port, opsPort] = [wanted ?? (await freePort()), await freePort()];
  const opsOrigin = `http://127.0.0.1:${opsPort}`;
  const signOfLife = readyWith === undefined ? `${opsOrigin}/readyz` : `http://localhost:${port}${readyWith}`;
  const log: Line[] = [];
  let complaints = '';
  const launch = (): ChildProcess => {
    const started = fork(MAIN, [], {
      cwd: ROOT,
      execArgv: ['--import', FOLLOW, ...(answersMemory ? ['--import', ANSWER_MEMORY] : [])],
      env: programEnvironment(ROOT, {
        PATH: process.env.PATH,
        LOG_LEVEL: 'warn',
        PORT: String(port),
        OPS_PORT: String(opsPort),
        // Roles apart have one credential; a whole program makes its own.
        ...(settings.ROLE !== undefined && { SERVICE_KEYS: SERVICE_KEYS_SETTING }),
        ...settings,
      }),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    if (started.stdout) createInterface({ input: started.stdout }).on('line', (line) => addLine(log, line));
    started.stderr?.on('data', (chunk: Buffer) => {
      complaints += chunk;
    });
    return started;
  };
  let child = launch();
  async function ready(): Promise<void> {
    while (!(await answers(signOfLife))) {
      if (hasEnded(child))
        throw new Error(`The program ended with ${child.exitCode ?? child.signalCode}: ${complaints}`);
      await delay(POLL_INTERVAL);
    }
  }
  t?.teardown(() => endChild(child, 'SIGTERM'));
  const started = performance.now();
  await ready();
  return {
    origin: `http://127.0.0.1:${port}`,
    opsOrigin,
    get pid() {
      return child.pid ?? 0;
    },
    secondsToReady: (performance.now() - started) / 1000,
    log,
    complaints: () => complaints,
    async left() {
      const answered = once(child, 'message');
      child.send({});
      const [{ heap, resident }] = await answered;
      return { heap, resident };
    },
    async start() {
      child = launch();
      await ready();
    },
    kill: () => endChild(child, 'SIGKILL'),
    stop: () => endChild(child, 'SIGTERM'),
  };
}

/** Whether there is an answer with a content. */
function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    async (answer) => (await answer.text()) !== '' && answer.ok,
    () => false,
  );
}

/** The last line of a killed program may be cut. */
function addLine(log: Line[], line: string): void {
  try {
    log.push(JSON.parse(line));
  } catch {
    log.push({ level: 'cut', msg: line });
  }
}
