import { createServer } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { errorCode, startError } from './database/errors.ts';

type Address = { host: string; port: number };

/** Where to listen, and the setting that names the port when it cannot be had. */
export type ListenAt = Address & { setting: string };

const REASONS: Readonly<Record<string, (at: ListenAt) => string>> = {
  EADDRINUSE: (at) =>
    `Port ${at.port} on ${at.host} is taken by another program. Stop it, or choose another port with ${at.setting}.`,
  EACCES: (at) =>
    `Port ${at.port} may not be opened by this user. Choose a port from 1024 up with ${at.setting}.`,
  EADDRNOTAVAIL: (at) => `The address ${at.host} does not belong to this machine.`,
  ENOTFOUND: (at) => `The address ${at.host} is not known on this machine.`,
};

function listenError(error: unknown, at: ListenAt): unknown {
  const reason = REASONS[errorCode(error)];
  return reason ? startError(reason(at), error) : error;
}

/** Milliseconds that a program of before, which is just ending, has to let go of its port; and between two looks. */
const TIMEOUT_MS = 5000;
const LOOK_EVERY = 100;

function tryListening({ host, port }: Address): Promise<void> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

/**
 * Tells before anything is started whether an address can be listened on. A taken port is given `timeout`
 * milliseconds to become free: a program that was killed and started again meets what is left of itself.
 * @throws StartError with one line to show
 */
export async function assertListenable(at: ListenAt, timeout = TIMEOUT_MS): Promise<void> {
  const until = performance.now() + timeout;
  for (;;) {
    try {
      return await tryListening(at);
    } catch (error) {
      const isTaken = errorCode(error) === 'EADDRINUSE';
      if (!isTaken || performance.now() >= until) throw listenError(error, at);
      await delay(LOOK_EVERY);
    }
  }
}

/**
 * Listens and answers the address, with the port that was given for port 0.
 * @throws StartError when the address cannot be had
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

/** Addresses that mean every one of this machine, and one by which it reaches itself. */
const OWN_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Where a program of this machine reaches what listens there. */
export function urlOnThisMachine({ host, port }: Address): string {
  const address = OWN_ADDRESS[host] ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** A turn of the event loop this short, milliseconds, has had next to nothing to do; turns looked at in all. */
const SHORT = 0.3;
const MOST_TURNS = 1000;

/**
 * Waits for a turn in which every connection that the system has ready has just been taken. A port that is closed in the
 * midst of work resets those that still wait at it, with requests that front ends have sent and may not send again.
 */
export async function idleEventLoop(): Promise<void> {
  let before = performance.now();
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    await nextTurn();
    const now = performance.now();
    if (now - before < SHORT) return;
    before = now;
  }
}
