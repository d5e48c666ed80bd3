import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { portOf } from '../../../support/port.ts';

/** What the network does to a connection. */
export type NetworkFault =
  | { kind: 'pass' }
  /** Refuses new connections and resets open ones. */
  | { kind: 'refuse' }
  /** Delays answers by milliseconds. */
  | { kind: 'slow'; by: number }
  /** Resets a connection after this many more bytes of answers. */
  | { kind: 'cut'; after: number }
  /** Drops requests and answers random bytes. */
  | { kind: 'garbage' };

/** A TCP proxy in front of a real service that can simulate network faults. */
export type FaultyProxy = {
  port: number;
  url: string;
  set(networkFault: NetworkFault): Promise<void>;
};

const GARBAGE_BYTES = 400;

type Pair = { client: Socket; service: Socket; answered: number };

/** Starts a proxy that forwards all bytes to `service` until `set`. */
export async function startFaultyProxy(
  t: { teardown(work: () => Promise<void>): void },
  service: NetConnectOpts,
): Promise<FaultyProxy> {
  let networkFault: NetworkFault = { kind: 'pass' };
  const pairs = new Set<Pair>();
  const server = createServer((client) => {
    const pair = { client, service: connect(service), answered: 0 };
    pairs.add(pair);
    link(pair, () => networkFault);
    client.once('close', () => pairs.delete(pair));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  const reset = (): void => {
    for (const { client } of pairs) client.resetAndDestroy();
  };

  async function listenAs(wanted: boolean): Promise<void> {
    if (server.listening === wanted) return;
    if (wanted) server.listen(port, '127.0.0.1');
    else {
      server.close();
      reset();
    }
    await once(server, wanted ? 'listening' : 'close');
  }
  t.teardown(() => listenAs(false));
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async set(next) {
      networkFault = next;
      for (const pair of pairs) pair.answered = 0;
      await listenAs(next.kind !== 'refuse');
    },
  };
}

function link(pair: Pair, networkFault: () => NetworkFault): void {
  const { client, service } = pair;
  const later = (work: () => void): void => {
    const now = networkFault();
    if (now.kind === 'slow') setTimeout(work, now.by).unref();
    else work();
  };
  client.on('error', () => undefined);
  service.on('error', () => undefined);
  client.on('data', (chunk) => {
    if (networkFault().kind === 'garbage') client.end(randomBytes(GARBAGE_BYTES));
    else service.write(chunk);
  });
  service.on('data', (chunk: Buffer) => later(() => answer(pair, chunk, networkFault())));
  client.on('close', () => service.destroy());
  service.on('close', () => later(() => client.end()));
}

function answer(pair: Pair, chunk: Buffer, networkFault: NetworkFault): void {
  const { client } = pair;
  if (client.destroyed) return;
  if (networkFault.kind !== 'cut') {
    client.write(chunk);
    return;
  }
  const left = networkFault.after - pair.answered;
  pair.answered += chunk.length;
  client.write(chunk.subarray(0, Math.max(0, left)), () => {
    if (pair.answered >= networkFault.after) client.resetAndDestroy();
  });
}
