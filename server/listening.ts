import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { errorCode, startError } from './database/start-error.ts';

type Address = { host: string; port: number };

const REASONS: Readonly<Record<string, (at: Address, setting: string) => string>> = {
  EADDRINUSE: (at, setting) =>
    `Port ${at.port} on ${at.host} is taken by another program. Stop it, or choose another port with ${setting}.`,
  EACCES: (at, setting) =>
    `Port ${at.port} may not be opened by this user. Choose a port from 1024 up with ${setting}.`,
  EADDRNOTAVAIL: (at) => `The address ${at.host} does not belong to this machine.`,
  ENOTFOUND: (at) => `The address ${at.host} is not known on this machine.`,
};

function listenError(error: unknown, at: Address, setting: string): unknown {
  const reason = REASONS[errorCode(error)];
  return reason ? startError(reason(at, setting), error) : error;
}

/**
 * Tells before anything is started whether an address can be listened on.
 * @throws StartError with one line to show
 */
export async function assertListenable(at: Address & { setting: string }): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, at, at.setting)));
    server.listen(at.port, at.host, () => server.close(() => resolve()));
  });
}

/**
 * Listens and answers the address, with the port that was given for port 0.
 * @throws StartError when the address cannot be had
 */
export async function listen(app: FastifyInstance, at: Address & { setting: string }): Promise<string> {
  try {
    return await app.listen({ host: at.host, port: at.port, listenTextResolver: () => '' });
  } catch (error) {
    throw listenError(error, at, at.setting);
  }
}
