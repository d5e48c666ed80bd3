import type { FastifyReply } from 'fastify';
import type { Dispatcher } from 'undici';

const CLIENT_ABORTED = new Error('client aborted the request');

/** Aborts an attempt when the client disconnects (R 10.8). */
export function abortWithClient({ raw }: FastifyReply, controller: Dispatcher.DispatchController): void {
  raw.once('close', () => controller.abort(CLIENT_ABORTED));
  if (raw.destroyed) controller.abort(CLIENT_ABORTED);
}
