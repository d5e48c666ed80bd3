import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

type Connections = {
  /** Whether a request on this connection waits for the end of its answer. */
  isAnswering(socket: Duplex): boolean;
  /** The answer to a request of which a part is still to come, while nothing has been said on it. */
  unanswered(socket: Duplex): ServerResponse | undefined;
  /**
   * From now on the connections end: idle ones after a moment, as soon as no request is under way, all of them after
   * `deadline` milliseconds. The server is to be closed at the same time.
   */
  drain(deadline: number): void;
};

/** Milliseconds: a connection made just before the port was closed may be bringing its request. */
const FIRST_REQUEST_WITHIN = 500;

type Connection = { underWay: number; latest: ServerResponse | undefined };

/** Follows which connections of a server are in the middle of a request. */
export function watchConnections(server: Server): Connections {
  // One entry for as long as a connection lasts: anything made for each request is felt at full speed.
  const known = new WeakMap<Duplex, Connection>();
  let underWay = 0;
  let isDraining = false;
  const closeWhenIdle = (): void => {
    if (isDraining && underWay === 0) server.closeAllConnections();
  };

  server.on('request', ({ socket }, response) => {
    const connection: Connection = known.get(socket) ?? { underWay: 0, latest: undefined };
    if (!known.has(socket)) known.set(socket, connection);
    connection.underWay += 1;
    connection.latest = response;
    underWay += 1;
    response.on('close', () => {
      connection.underWay -= 1;
      underWay -= 1;
      if (connection.underWay === 0) connection.latest = undefined;
      closeWhenIdle();
    });
  });
  return {
    isAnswering: (socket) => (known.get(socket)?.underWay ?? 0) > 0,
    unanswered(socket) {
      const { underWay: requests, latest } = known.get(socket) ?? {};
      const isOpen = requests === 1 && latest && !latest.req.complete && !latest.headersSent;
      return isOpen ? latest : undefined;
    },
    drain(deadline) {
      setTimeout(() => server.closeAllConnections(), deadline).unref();
      setTimeout(() => {
        isDraining = true;
        closeWhenIdle();
      }, FIRST_REQUEST_WITHIN).unref();
    },
  };
}

/** How long clients may take. Times in milliseconds. */
export type ClientTimeouts = {
  /** For the head of a request, from the moment of the connection or from its first byte. */
  head: number;
  /** For the first bytes of a body, and between any two pieces of it. */
  body: number;
  /** What a body may not fall below, after that time, on the whole. */
  bytesPerSecond: number;
};

export const CLIENT_TIMEOUTS: ClientTimeouts = { head: 60_000, body: 60_000, bytesPerSecond: 500 };

/** How often, within the shortest timeout, is looked whether it is over. */
const LOOKS = 6;

export function lookEvery({ head, body }: ClientTimeouts): number {
  return Math.ceil(Math.min(head, body) / LOOKS);
}

type Underway = {
  request: IncomingMessage;
  response: ServerResponse;
  started: number;
  bytesBefore: number;
  bytes: number;
  lastByte: number;
};

/**
 * Calls `refuse` for a request whose body comes too slowly, whether anybody still reads it or not: many such
 * connections, each fed with a byte now and then, would hold a server without ever asking for anything. A body that waits
 * because it is not taken from us is nobody's fault.
 */
export function watchBodies(
  server: Server,
  timeouts: ClientTimeouts,
  refuse: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const underway = new Set<Underway>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const now = performance.now();
    for (const each of underway) {
      const { request, response } = each;
      if (request.complete || request.socket.destroyed) underway.delete(each);
      else if (isTooSlow(each, timeouts, now)) {
        underway.delete(each);
        refuse(request, response);
      }
    }
    if (underway.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  server.on('request', (request, response) => {
    if (response.writableEnded || !hasBody(request)) return;
    const now = performance.now();
    const bytesBefore = request.socket.bytesRead;
    underway.add({ request, response, started: now, bytesBefore, bytes: 0, lastByte: now });
    timer ??= setInterval(look, lookEvery(timeouts)).unref();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Notes what has come since the last look. */
function isTooSlow(each: Underway, { body, bytesPerSecond }: ClientTimeouts, now: number): boolean {
  const { request } = each;
  const bytes = request.socket.bytesRead - each.bytesBefore;
  if (request.readableLength >= request.readableHighWaterMark) {
    each.started += now - each.lastByte;
    each.lastByte = now;
    return false;
  }
  if (bytes > each.bytes) each.lastByte = now;
  each.bytes = bytes;
  const allowed = body + (bytes / bytesPerSecond) * 1000;
  return now - each.lastByte > body || now - each.started > allowed;
}
