import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '../../shared/entities/user.ts';
import { toAppError } from '../http/errors.ts';
import type { GatewayMetrics } from './metrics.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { recordOf } from './request-record.ts';
import { noteSecurityEvent } from './security-event.ts';
import type { Session } from './session/session.ts';
import { traceparentOf } from './trace.ts';

type Parts = {
  metrics: Pick<GatewayMetrics, 'http' | 'countAbort'>;
  pseudonymsOf: (session: Session) => Pseudonyms;
  /** The role a session was last seen with. */
  lastRole: (session: Session) => Role | undefined;
};

/**
 * One line and one observation per request, when its connection is done with it, however that came about. The route's
 * template stands for the address: queries and keys stay out of the log. Only the fields named here are written.
 */
export function logRequests(app: FastifyInstance, parts: Parts): void {
  const countBytes = createByteCount();
  app.decorateRequest('record', null);
  app.addHook('onRequest', (request, reply, done) => {
    recordOf(request);
    reply.raw.once('close', () => writeLine(parts, request, reply, countBytes(request.socket)));
    done();
  });
  app.addHook('onError', async (request, _reply, error) => {
    recordOf(request).code = toAppError(error).code;
  });
}

type Bytes = { bytes_in: number; bytes_out: number };

/** Bytes that have passed a connection since it was asked last: one request's, heads included. */
function createByteCount(): (socket: Socket) => Bytes {
  const counted = new WeakMap<Socket, { read: number; written: number }>();
  return (socket) => {
    const { bytesRead: read, bytesWritten: written } = socket;
    const before = counted.get(socket);
    counted.set(socket, { read, written });
    return { bytes_in: read - (before?.read ?? 0), bytes_out: written - (before?.written ?? 0) };
  };
}

function writeLine(
  { metrics, pseudonymsOf, lastRole }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Bytes,
): void {
  const { started, session, code, csrf, refresh, upstream } = recordOf(request);
  const route = request.routeOptions.url ?? 'none';
  const { method } = request;
  const { statusCode: status, writableFinished } = reply.raw;
  const duration = performance.now() - started;
  metrics.http.observe({ route, method, status }, duration / 1000);
  if (!writableFinished) metrics.countAbort();
  const names = session && pseudonymsOf(session);
  if (status === 403 && code !== 'CSRF_REFUSED') noteSecurityEvent(request, 'forbidden', { route, ...names });
  const role = session && lastRole(session);
  request.log.info(
    {
      traceparent: traceparentOf(request),
      method,
      route,
      status,
      duration_ms: Math.round(duration * 10) / 10,
      ...bytes,
      ...names,
      ...(role !== undefined && { role }),
      ...(csrf !== undefined && { csrf }),
      ...(refresh !== undefined && { refresh }),
      ...(upstream && { upstream }),
      ...(code !== undefined && { code }),
      ...(!writableFinished && { client_aborted: true }),
    },
    'request',
  );
}
