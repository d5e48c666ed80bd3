import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { portOf } from '../../support/port.ts';

/** What happens on the way to a service. */
export type Weather =
  | { kind: 'pass' }
  /** Nothing listens there, and connections that stood are reset. */
  | { kind: 'refuse' }
  /** What the service answers arrives so many milliseconds later. */
  | { kind: 'slow'; by: number }
  /** Connections are reset after so many more bytes of answers. */
  | { kind: 'cut'; after: number }
  /** What is asked does not arrive; bytes that mean nothing are answered. */
  | { kind: 'garbage' };

/** A place before a real service where the network can be made bad. */
export type Edge = {
  port: number;
  url: string;
  set(weather: Weather): Promise<void>;
};

const GARBAGE_BYTES = 400;

type Pair = { client: Socket; service: Socket; answered: number };

/** Opens a port that passes bytes on to `service` until told otherwise. */
export async function openEdge(
  t: { teardown(work: () => Promise<void>): void },
  service: NetConnectOpts,
): Promise<Edge> {
  let weather: Weather = { kind: 'pass' };
  const pairs = new Set<Pair>();
  const server = createServer((client) => {
    const pair = { client, service: connect(service), answered: 0 };
    pairs.add(pair);
    link(pair, () => weather);
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
      weather = next;
      for (const pair of pairs) pair.answered = 0;
      await listenAs(next.kind !== 'refuse');
    },
  };
}

function link(pair: Pair, weather: () => Weather): void {
  const { client, service } = pair;
  const later = (work: () => void): void => {
    const now = weather();
    if (now.kind === 'slow') setTimeout(work, now.by).unref();
    else work();
  };
  client.on('error', () => undefined);
  service.on('error', () => undefined);
  client.on('data', (chunk) => {
    if (weather().kind === 'garbage') client.end(randomBytes(GARBAGE_BYTES));
    else service.write(chunk);
  });
  service.on('data', (chunk: Buffer) => later(() => answer(pair, chunk, weather())));
  client.on('close', () => service.destroy());
  service.on('close', () => later(() => client.end()));
}

function answer(pair: Pair, chunk: Buffer, weather: Weather): void {
  const { client } = pair;
  if (client.destroyed) return;
  if (weather.kind !== 'cut') {
    client.write(chunk);
    return;
  }
  const left = weather.after - pair.answered;
  pair.answered += chunk.length;
  client.write(chunk.subarray(0, Math.max(0, left)), () => {
    if (pair.answered >= weather.after) client.resetAndDestroy();
  });
}
