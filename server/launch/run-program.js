import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from './node.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const ECHO_MS = 1000;
const WATCH_MS = 1000;

/**
 * Runs a script in the foreground until it ends.
 *
 * The script has its own process group, because a terminal's Ctrl-C reaches the whole group and npm forwards it
 * as well: both signals arrive here, and only one is forwarded. Further ones within a second are ignored; after that
 * another Ctrl-C is forwarded again.
 *
 * @param {string} node path of the Node to run it with
 * @param {string[]} args script and arguments
 * @returns {Promise<number>} its exit code; 128 plus the number of the signal that ended it
 */
export async function runProgram(node, args) {
  const follow = new URL('follow-launcher.js', import.meta.url).href;
  const child = spawn(node, ['--import', follow, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
    env: programEnvironment(root),
  });
  let lastSignal = Number.NEGATIVE_INFINITY;
  const pass = (/** @type {NodeJS.Signals} */ signal) => {
    if (performance.now() - lastSignal < ECHO_MS) return;
    lastSignal = performance.now();
    child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  const watch = setInterval(
    endWithNpm(() => pass('SIGTERM')),
    WATCH_MS,
  );
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    clearInterval(watch);
    for (const signal of SIGNALS) process.off(signal, pass);
  }
}

/**
 * npm runs this process in a shell. When npm is killed, both would keep running.
 *
 * @param {() => void} end
 * @returns {() => void} a function to call regularly
 */
function endWithNpm(end) {
  if (process.env.npm_lifecycle_event === undefined) return () => undefined;
  const [parent, grandparent] = [process.ppid, parentOf(process.ppid)];
  return () => {
    if (process.ppid !== parent || parentOf(parent) !== grandparent) end();
  };
}

/**
 * @param {number} pid
 * @returns {string | undefined} process id of its parent, where the system has /proc
 */
function parentOf(pid) {
  try {
    return /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
