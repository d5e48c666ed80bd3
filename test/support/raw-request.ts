import { connect } from 'node:net';

/** Milliseconds for a whole response; a busy machine takes its time. */
const ANSWERED_WITHIN = 20_000;

/**
 * Sends bytes as they are and answers everything that comes back until the other side closes or, once a whole response is
 * there, falls silent for `silence` milliseconds, in which a second one would come. `unanswered`: milliseconds to wait for
 * a response that need not come.
 */
export function sendRaw(
  url: string,
  text: string | Buffer,
  { silence = 300, unanswered = ANSWERED_WITHIN }: { silence?: number; unanswered?: number } = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = '';
    socket.setTimeout(unanswered, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      socket.setTimeout(isWhole(received) ? silence : unanswered);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}

/** Whether the last response is there to its end (RFC 9112 section 6.3); one without a length ends with the connection. */
function isWhole(received: string): boolean {
  const last = received.slice(Math.max(0, received.lastIndexOf('HTTP/1.1 ')));
  const [head = '', ...rest] = last.split('\r\n\r\n');
  if (rest.length === 0 || /^HTTP\/1\.1 1/.test(head)) return false;
  const body = last.slice(head.length + 4);
  if (/^transfer-encoding: chunked$/im.test(head)) return /(?:^|\r\n)0\r\n\r\n$/.test(body);
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  return length === undefined ? /^HTTP\/1\.1 (?:204|304)/.test(head) : body.length >= Number(length);
}

/** Status of the first answer; 0 when the connection was closed without one. */
export function statusOf(received: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
}
