import { connect } from 'node:net';

/** Sends bytes as they are and answers everything that comes back until the other side closes or falls silent. */
export function sendRaw(url: string, text: string | Buffer, silence = 300): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = '';
    socket.setTimeout(silence, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
  });
}

/** Status of the first answer; 0 when the connection was closed without one. */
export function statusOf(received: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0);
}
