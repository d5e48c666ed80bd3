import { connect } from 'node:net';

/** Milliseconds for the first byte of an answer; a busy machine takes its time. */
const FIRST_BYTE_WITHIN = 20_000;

/**
 * Sends bytes as they are and answers everything that comes back until the other side closes or, once it has begun to
 * answer, falls silent. `unanswered`: milliseconds to wait for an answer that need not come.
 */
export function sendRaw(
  url: string,
  text: string | Buffer,
  { silence = 300, unanswered = FIRST_BYTE_WITHIN }: { silence?: number; unanswered?: number } = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = '';
    socket.setTimeout(unanswered, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      socket.setTimeout(silence);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}

/** Status of the first answer; 0 when the connection was closed without one. */
export function statusOf(received: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
}
