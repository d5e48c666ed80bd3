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
  /** Fulfilled at its end, and with it that of its products. */
  ended: Promise<'ended'>;
};

let running: Host | undefined;

/** The process that serves the products of this one until its end. */
function host(): Host {
  if (running?.child.connected) return running;
  const child = fork(PROGRAM, [], { cwd: ROOT, execArgv: [], env: programEnvironment(ROOT) });
  child.setMaxListeners(0);
  const ended = once(child, 'exit').then(() => 'ended' as const);
  tap.teardown(() => child.kill('SIGKILL'));
  running = { child, ended };
  return running;
}

async function carryOut(child: ChildProcess, order: Order): Promise<'done'> {
  child.send(order);
  for (;;) {
    const [outcome]: Outcome[] = await once(child, 'message');
    if (outcome?.id !== order.id) continue;
    if (outcome.failure !== undefined) throw new Error(outcome.failure);
    return 'done';
  }
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
  const { child, ended } = host();
  const id = randomUUID();
  const order = {
    id,
    settings: { ...settings, PORT: String(port), OPS_PORT: String(opsPort), DATA_DIR: dataDir },
  };
  if ((await Promise.race([carryOut(child, order), ended])) === 'ended') {
    throw new Error('The process of the products has ended.');
  }
  const stop = async (): Promise<void> => {
    if (child.connected) await Promise.race([carryOut(child, { id }), ended]);
  };
  return { origin: `http://localhost:${port}`, stop };
}
