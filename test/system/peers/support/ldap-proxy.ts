import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../../../support/port.ts';

/** Operations of a client, by tag (RFC 4511 section 4.2); `tls` starts a handshake. */
const OPERATIONS = new Map([
  [0x60, 'bind'],
  [0x63, 'search'],
  [0x77, 'start_tls'],
  [0x16, 'tls'],
]);

/** What the proxy does with a request: `cut` forwards it and closes the connection at the response. */
export type Fate = 'pass' | 'hold' | 'dribble' | 'cut';

/** The operation, and the number of earlier ones on this connection. */
export type Sent = { operation: string; before: number; sameBefore: number };

export type LdapProxy = {
  port: number;
  /** Set by the test. */
  fate: (sent: Sent) => Fate;
  /** All operations of clients. */
  seen: () => Buffer;
  /** Number of connections. */
  connections: () => number;
};

type Teardown = { teardown(work: () => Promise<void>): void };

const DRIBBLE_EVERY = 20;

/** A proxy between a client and the directory at `target`. */
export async function ldapProxy(t: Teardown, target: number): Promise<LdapProxy> {
  const sockets = new Set<Socket>();
  const seen: Buffer[] = [];
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    pass(client);
  });
  const proxy: LdapProxy = {
    port: 0,
    fate: () => 'pass',
    seen: () => Buffer.concat(seen),
    connections: () => connections,
  };

  function pass(client: Socket): void {
    const directory = connect(target, '127.0.0.1');
    for (const socket of [client, directory]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    const operations: string[] = [];
    let fate: Fate = 'pass';
    client.on('data', (piece) => {
      seen.push(piece);
      if (fate !== 'pass') return;
      const operation = operationOf(piece);
      const sameBefore = operations.filter((earlier) => earlier === operation).length;
      fate = proxy.fate({ operation, before: operations.length, sameBefore });
      operations.push(operation);
      if (fate !== 'hold') directory.write(piece);
    });
    directory.on('data', (piece) => {
      if (fate === 'cut') client.destroy();
      else if (fate === 'dribble') dribble(client, piece);
      else client.write(piece);
    });
    client.on('close', () => directory.destroy());
    directory.on('close', () => client.destroy());
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.port = portOf(server);
  t.teardown(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return proxy;
}

function operationOf(piece: Buffer): string {
  const [tag = 0, length = 0] = piece;
  if (tag !== 0x30) return OPERATIONS.get(tag) ?? 'other';
  const id = length < 0x80 ? 2 : 2 + (length & 0x7f);
  return OPERATIONS.get(piece[id + 2 + (piece[id + 1] ?? 0)] ?? 0) ?? 'other';
}

/** Sends single bytes, each within the timeout. */
function dribble(client: Socket, piece: Buffer): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (client.destroyed || sent >= piece.length) clearInterval(timer);
    else client.write(piece.subarray(sent, sent + 1));
    sent += 1;
  }, DRIBBLE_EVERY);
}
