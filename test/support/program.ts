import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '../../server/launch/node.js';
import { freePort } from './port.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
/** Ends the program if its test or bench was killed. */
const FOLLOW = new URL('../../server/launch/follow-launcher.js', import.meta.url).href;
const ANSWER_MEMORY = new URL('answer-memory.ts', import.meta.url).href;

/** Memory in bytes after a full garbage collection. */
export type Left = { heap: number; resident: number };

/** The program in its own process, with the role and database of its settings. */
export type Program = {
  origin: string;
  opsOrigin: string;
  pid: number;
  /** Time from its start until it accepted requests. */
  secondsToReady: number;
  /** Only for a program that was started with `answersMemory`. */
  left(): Promise<Left>;
  stop(): Promise<void>;
};

/**
 * Starts the program with the environment of the launcher, and waits until it accepts requests.
 * @param answersMemory loads what answers `left`, which costs some memory itself
 */
export async function startProgram(
  settings: Readonly<Record<string, string>>,
  { answersMemory = false } = {},
): Promise<Program> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const started = performance.now();
  const child = fork(MAIN, [], {
    cwd: ROOT,
    execArgv: ['--import', FOLLOW, ...(answersMemory ? ['--import', ANSWER_MEMORY] : [])],
    env: programEnvironment(ROOT, {
      PATH: process.env.PATH,
      LOG_LEVEL: 'warn',
      PORT: String(port),
      OPS_PORT: String(opsPort),
      ...settings,
    }),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const opsOrigin = `http://127.0.0.1:${opsPort}`;
  await ready(opsOrigin, child);
  return {
    origin: `http://127.0.0.1:${port}`,
    opsOrigin,
    pid: child.pid ?? 0,
    secondsToReady: (performance.now() - started) / 1000,
    left: () => leftIn(child),
    stop: () => stop(child),
  };
}

async function ready(opsOrigin: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode}.`);
    const isReady = await fetch(`${opsOrigin}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function leftIn(child: ChildProcess): Promise<Left> {
  const answered = once(child, 'message');
  child.send({});
  const [{ heap, resident }] = await answered;
  return { heap, resident };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
