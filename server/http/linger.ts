import type { IncomingMessage } from 'node:http';

/** How long, milliseconds, and how much a client may go on sending after it was refused. */
const LINGER = 30_000;
const LINGER_BYTES = 64 * 1024 * 1024;

/**
 * Lets a client that is still sending read the refusal: a connection cut with unread bytes takes its answer with it
 * (RFC 9112 section 9.6). What comes is thrown away; who does not end is cut off.
 */
export function linger(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let left = LINGER_BYTES;
  const cut = (): void => void request.socket.destroy();
  const timer = setTimeout(cut, LINGER).unref();
  request.unpipe();
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) cut();
  });
  request.once('end', () => clearTimeout(timer));
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
