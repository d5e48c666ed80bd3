import { createServer } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { errorCode, startError } from '../database/errors.ts';

type Address = { host: string; port: number };

/** Where to listen, and the setting of the port for error messages. */
export type ListenAt = Address & { setting: string };

const REASONS: Readonly<Record<string, (at: ListenAt) => string>> = {
  EADDRINUSE: (at) =>
    `Port ${at.port} on ${at.host} is in use by another program. Stop it, or choose another port with ${at.setting}.`,
  EACCES: (at) =>
    `Port ${at.port} may not be opened by this user. Choose a port from 1024 up with ${at.setting}.`,
  EADDRNOTAVAIL: (at) => `The address ${at.host} does not belong to this machine.`,
  ENOTFOUND: (at) => `The address ${at.host} is not known on this machine.`,
};

function listenError(error: unknown, at: ListenAt): unknown {
  const reason = REASONS[errorCode(error)];
  return reason ? startError(reason(at), error) : error;
}

/** Time for a previous process to release the port. */
const TIMEOUT_MS = 5000;
const RETRY_MS = 100;

function tryListening({ host, port }: Address): Promise<void> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

/**
 * Checks before the start that an address can be listened on. A port in use may be released within `timeout` milliseconds,
 * because the previous process of a restarted program may still be ending.
 * @throws StartError with a one-line message
 */
export async function assertListenable(at: ListenAt, timeout = TIMEOUT_MS): Promise<void> {
  const until = performance.now() + timeout;
  for (;;) {
    try {
      return await tryListening(at);
    } catch (error) {
      const isInUse = errorCode(error) === 'EADDRINUSE';
      if (!isInUse || performance.now() >= until) throw listenError(error, at);
      await delay(RETRY_MS);
    }
  }
}

/**
 * Listens on an address. @returns the address, with the actual port for port 0
 * @throws StartError when it is not possible
 */
export async function listen(app: FastifyInstance, at: ListenAt): Promise<string> {
  try {
    return await app.listen({
      host: at.host,
      port: at.port,
      listenTextResolver: (address) => `listening on ${address}`,
    });
  } catch (error) {
    throw listenError(error, at);
  }
}

/** Loopback addresses for the addresses that listen on all interfaces. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** URL of a listening address for programs on the same machine. */
export function localUrl({ host, port }: Address): string {
  const address = LOOPBACK[host] ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** An iteration of the event loop that takes less time has no work to do. */
const IDLE_MS = 0.3;
const ITERATIONS_MAX = 1000;

/**
 * Waits until the event loop is idle, so that all pending connections have been accepted. Closing a port resets pending
 * connections, and proxies may not repeat the requests that they have sent on them.
 */
export async function idleEventLoop(): Promise<void> {
  let before = performance.now();
  for (let iteration = 0; iteration < ITERATIONS_MAX; iteration += 1) {
    await nextTurn();
    const now = performance.now();
    if (now - before < IDLE_MS) return;
    before = now;
  }
}
