import type { IncomingMessage, Server, ServerResponse } from 'node:http';

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
