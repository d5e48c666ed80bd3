import type { Readable } from 'node:stream';
import { setCookies } from '../../http/cookies.ts';
import type { ProxyCall } from './access.ts';

/** Sends a response whose status the library has set. Must not throw: that would end the process. */
export function sendResponse(call: ProxyCall, stream: Readable): void {
  const { reply, headers, whole } = call;
  reply.headers(headers);
  clearDevices(call);
  if (!whole) {
    // The head must not wait for a slow body.
    reply.raw.once('pipe', () => setImmediate(() => reply.raw.writableEnded || reply.raw.flushHeaders()));
    sendBody(call, stream);
  } else if (whole.length > 0) {
    sendBody(call, whole);
  } else {
    reply.send();
  }
}

function clearDevices({ request, reply, isFile }: ProxyCall): void {
  if (request.proxyRoute?.upstream !== 'identity' || isFile) return;
  const deletions = request.server.knownDevices.clearUnusable(request.cookies);
  if (deletions.length > 0) reply.header('cache-control', 'no-store');
  setCookies(reply, deletions);
}

function sendBody({ request, reply }: ProxyCall, body: Buffer | Readable): void {
  // The plugin would compress these again.
  const isFinal = reply.hasHeader('content-encoding') || reply.statusCode === 206;
  if (request.contractRoute?.compress && !isFinal) reply.compress(body);
  else reply.send(body);
}
