import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { portOf } from '../support/port.ts';
import type { Target } from './check.ts';
import { OWN_DIALECT } from './own-gateway.ts';
import type { Subject } from './runner.ts';

const BODY = '{"code":0,"message":"ok","data":{"signed_in":true}}';
const COOKIE = 'Set-Cookie: session=of-everybody; Path=/';

/**
 * A server that reads only the first line and accepts everything. It proves that checks can fail whose bugs the
 * libraries of the naive gateway no longer have.
 */
export function laxServer(publicUrl: string): Subject {
  return {
    dialect: OWN_DIALECT,
    ports: { upstream: 0, identity: 0 },
    start: () => startLax(publicUrl),
  };
}

async function startLax(publicUrl: string): Promise<Target> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => open.delete(socket));
    socket.once('data', (head) => socket.end(answerTo(head.toString('latin1'), publicUrl)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${portOf(server)}`, publicUrl, close };
}

function answerTo(head: string, publicUrl: string): string {
  const path = head.split(' ')[1] ?? '';
  if (path.startsWith('/api/auth/login')) {
    return `HTTP/1.1 302 Found\r\nLocation: ${publicUrl}/?redirect_uri=${publicUrl}/api/auth/callback\r\n\r\n`;
  }
  const status = path.startsWith('/api/auth/callback') ? '303 See Other' : '200 OK';
  return `HTTP/1.1 ${status}\r\n${COOKIE}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
}
