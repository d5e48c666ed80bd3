import { connect } from 'node:net';

/** Timeout of a whole response in milliseconds, enough for a busy machine. */
const ANSWERED_WITHIN = 120_000;

/**
 * Sends bytes and returns everything that is received until the other side closes or, after a complete
 * response, sends nothing for `silence` milliseconds, in which a second response would arrive. `unanswered`: milliseconds
 * to wait for an optional response.
 */
export function sendRaw(
  url: string,
  text: string | Buffer,
  { silence = 300, unanswered = ANSWERED_WITHIN }: { silence?: number; unanswered?: number } = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  const isHead = text.toString().startsWith('HEAD ');
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = '';
    socket.setTimeout(unanswered, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      socket.setTimeout(isWhole(received, isHead) ? silence : unanswered);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}

/** Whether the last response is complete (RFC 9112 section 6.3); one without a length ends with the connection. */
function isWhole(received: string, isHead: boolean): boolean {
  const last = received.slice(Math.max(0, received.lastIndexOf('HTTP/1.1 ')));
  const [head = '', ...rest] = last.split('\r\n\r\n');
  if (rest.length === 0 || /^HTTP\/1\.1 1/.test(head)) return false;
  if (isHead) return true;
  const body = last.slice(head.length + 4);
  if (/^transfer-encoding: chunked$/im.test(head)) return /(?:^|\r\n)0\r\n\r\n$/.test(body);
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  return length === undefined ? /^HTTP\/1\.1 (?:204|304)/.test(head) : body.length >= Number(length);
}

/** Status of the first response; 0 if the connection was closed without one. */
export function statusOf(received: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
}
