import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import tap from 'tap';
import { programEnvironment } from '../../server/launch/node.js';
import { freePort } from './port.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = fileURLToPath(new URL('serve-products.ts', import.meta.url));

/** Starts the product with this id, or stops it. */
export type Order = { id: string; settings?: Readonly<Record<string, string>> };
export type Outcome = { id: string; failure?: string };

type Host = {
  child: ChildProcess;
  /** What waits for an outcome, by id. */
  waiting: Map<string, (outcome: Outcome) => void>;
  /** Fulfilled at its end, and with it that of its products. */
  ended: Promise<'ended'>;
};

let running: Host | undefined;

/** The process that serves the products of this one until its end. */
function host(): Host {
  if (running?.child.connected) return running;
  const child = fork(PROGRAM, [], { cwd: ROOT, execArgv: [], env: programEnvironment(ROOT) });
  const waiting: Host['waiting'] = new Map();
  // One listener for all: those that begin to listen between two outcomes of one read miss the second.
  child.on('message', (outcome: Outcome) => waiting.get(outcome.id)?.(outcome));
  const ended = once(child, 'exit').then(() => 'ended' as const);
  tap.teardown(() => child.kill('SIGKILL'));
  running = { child, waiting, ended };
  return running;
}

async function carryOut({ child, waiting, ended }: Host, order: Order): Promise<'done' | 'ended'> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  waiting.set(order.id, resolve);
  child.send(order);
  const outcome = await Promise.race([promise, ended]);
  waiting.delete(order.id);
  if (outcome === 'ended') return outcome;
  if (outcome.failure !== undefined) throw new Error(outcome.failure);
  return 'done';
}

/**
 * The product as `startProduct` starts it, in a process with others, where its modules are loaded and warm.
 *
 * @throws an error naming every bad setting
 */
export async function serveProduct(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  at: { port?: number } = {},
): Promise<{ origin: string; stop(): Promise<void> }> {
  const [port, opsPort] = [at.port ?? (await freePort()), await freePort()];
  const serving = host();
  const id = randomUUID();
  const order = {
    id,
    settings: { ...settings, PORT: String(port), OPS_PORT: String(opsPort), DATA_DIR: dataDir },
  };
  if ((await carryOut(serving, order)) === 'ended') {
    throw new Error('The process of the products has ended.');
  }
  const stop = async (): Promise<void> => {
    if (serving.child.connected) await carryOut(serving, { id });
  };
  return { origin: `http://localhost:${port}`, stop };
}
