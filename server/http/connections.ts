import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

type Connections = {
  /** Whether this connection has a request without a complete response. */
  isBusy(socket: Duplex): boolean;
  /** The response to an incomplete request, if it is the only one and its head has not been sent. */
  pendingResponse(socket: Duplex): ServerResponse | undefined;
  /** Closes all connections when no request is pending, or after `deadline` milliseconds. */
  drain(deadline: number): void;
};

/** Milliseconds: the first request of a connection that was opened just before the port was closed may still arrive. */
const FIRST_REQUEST_TIMEOUT = 500;

type Connection = { pending: number; latest: ServerResponse | undefined };

/** Tracks the pending requests of a server's connections. */
export function watchConnections(server: Server): Connections {
  // One entry for each connection, not for each request, which would cost throughput.
  const known = new WeakMap<Duplex, Connection>();
  let pending = 0;
  let isDraining = false;
  const closeWhenIdle = (): void => {
    if (isDraining && pending === 0) server.closeAllConnections();
  };

  server.on('request', ({ socket }, response) => {
    const connection: Connection = known.get(socket) ?? { pending: 0, latest: undefined };
    if (!known.has(socket)) known.set(socket, connection);
    connection.pending += 1;
    connection.latest = response;
    pending += 1;
    response.on('close', () => {
      connection.pending -= 1;
      pending -= 1;
      if (connection.pending === 0) connection.latest = undefined;
      closeWhenIdle();
    });
  });
  return {
    isBusy: (socket) => (known.get(socket)?.pending ?? 0) > 0,
    pendingResponse(socket) {
      const { pending: requests, latest } = known.get(socket) ?? {};
      const isOpen = requests === 1 && latest && !latest.req.complete && !latest.headersSent;
      return isOpen ? latest : undefined;
    },
    drain(deadline) {
      setTimeout(() => server.closeAllConnections(), deadline).unref();
      setTimeout(() => {
        isDraining = true;
        closeWhenIdle();
      }, FIRST_REQUEST_TIMEOUT).unref();
    },
  };
}

/** Limits for slow clients. Times in milliseconds. */
export type ClientTimeouts = {
  /** For the head of a request, from the connection or from its first byte. */
  head: number;
  /** For the first bytes of a body, and between two chunks. */
  body: number;
  /** Minimum average rate of a body after the `body` timeout. */
  bytesPerSecond: number;
  /** For reading the response to a malformed request, before the connection is destroyed. */
  refusal: number;
};

export const CLIENT_TIMEOUTS: ClientTimeouts = {
  head: 60_000,
  body: 60_000,
  bytesPerSecond: 500,
  refusal: 1000,
};

/** Checks within the shortest timeout. */
const CHECKS = 6;

export function checkInterval({ head, body }: ClientTimeouts): number {
  return Math.ceil(Math.min(head, body) / CHECKS);
}

type PendingBody = {
  request: IncomingMessage;
  response: ServerResponse;
  started: number;
  bytesBefore: number;
  bytes: number;
  lastByte: number;
};

/**
 * Refuses slow bodies (slow-loris attack). Time in which the server does not read is not counted; nor is a stall of the
 * whole process, after which the checks would come before what has arrived meanwhile.
 */
export function watchBodies(
  server: Server,
  timeouts: ClientTimeouts,
  refuse: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const pending = new Set<PendingBody>();
  const interval = checkInterval(timeouts);
  let timer: NodeJS.Timeout | undefined;
  let counted = 0;
  let countedAt = performance.now();

  function count(): number {
    const now = performance.now();
    counted += Math.min(now - countedAt, 2 * interval);
    countedAt = now;
    return counted;
  }
  function check(): void {
    const now = count();
    for (const body of pending) {
      const { request, response } = body;
      if (request.complete || request.socket.destroyed) pending.delete(body);
      else if (isTooSlow(body, timeouts, now)) {
        pending.delete(body);
        refuse(request, response);
      }
    }
    if (pending.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  server.on('request', (request, response) => {
    if (response.writableEnded || !hasBody(request)) return;
    const now = count();
    const bytesBefore = request.socket.bytesRead;
    pending.add({ request, response, started: now, bytesBefore, bytes: 0, lastByte: now });
    timer ??= setInterval(check, interval).unref();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Also records the bytes since the last check. */
function isTooSlow(pending: PendingBody, { body, bytesPerSecond }: ClientTimeouts, now: number): boolean {
  const { request } = pending;
  const bytes = request.socket.bytesRead - pending.bytesBefore;
  if (request.readableLength >= request.readableHighWaterMark) {
    pending.started += now - pending.lastByte;
    pending.lastByte = now;
    return false;
  }
  if (bytes > pending.bytes) pending.lastByte = now;
  pending.bytes = bytes;
  const allowed = body + (bytes / bytesPerSecond) * 1000;
  return now - pending.lastByte > body || now - pending.started > allowed;
}
