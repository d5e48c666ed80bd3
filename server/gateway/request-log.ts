import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Role } from '../../shared/entities/user.ts';
import { ERRORS } from '../../shared/errors.ts';
import { toAppError } from '../http/errors.ts';
import type { GatewayMetrics } from './metrics.ts';
import { createPseudonyms, type Pseudonyms } from './pseudonyms.ts';
import { type RequestRecord, recordOf } from './request-record.ts';
import { noteSecurityEvent } from './security-event.ts';
import type { Session } from './session/session.ts';
import { traceparentOf } from './trace.ts';

type Parts = {
  log: FastifyBaseLogger;
  metrics: Pick<GatewayMetrics, 'http' | 'countAbort'>;
  pseudonymsOf: (session: Session) => Pseudonyms;
  /** The role a session was last seen with. */
  lastRole: (session: Session) => Role | undefined;
};

/** A request whose connection is done with it. `route`: the template, never the address. */
export type Done = {
  id: string;
  traceparent: string;
  method: string;
  route: string;
  socket: Socket;
  response: ServerResponse;
  record: RequestRecord;
};

export type WriteLine = (done: Done) => void;

/** Writes the one line of a request and makes its one observation. Only the fields named here are written. */
export function createLineWriter({ log, metrics, pseudonymsOf, lastRole }: Parts): WriteLine {
  const countBytes = createByteCount();
  return ({ id, traceparent, method, route, socket, response, record }) => {
    const { started, session, code, csrf, refresh, upstream } = record;
    const { statusCode: status, writableFinished } = response;
    const bytes = countBytes(socket);
    const duration = performance.now() - started;
    metrics.http.observe({ route, method, status }, duration / 1000);
    // What a slow body is answered goes past the response, and an answer that broke off is the service's doing.
    const hasLeft = !writableFinished && status !== ERRORS.REQUEST_TIMEOUT.status && upstream?.cut !== true;
    if (hasLeft) metrics.countAbort();
    const names = session && pseudonymsOf(session);
    if (status === 403 && code !== 'CSRF_REFUSED')
      noteSecurityEvent({ log: log.child({ reqId: id }) }, 'forbidden', { route, ...names });
    const role = session && lastRole(session);
    log.info(
      {
        reqId: id,
        traceparent,
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
        ...(hasLeft && { client_aborted: true }),
      },
      'request',
    );
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    writeLine: WriteLine;
  }
}

/** One line for every request, when its connection is done with it. */
export const requestLog = fp(
  async (app: FastifyInstance) => {
    const { gateway, metrics } = app;
    const writeLine = createLineWriter({
      log: gateway.log,
      metrics,
      pseudonymsOf: createPseudonyms(gateway.keys),
      lastRole: (session) => app.roles.last(session),
    });
    app.decorate('writeLine', writeLine);
    logRequests(app, writeLine);
  },
  { name: 'request-log', dependencies: ['gateway', 'metrics'] },
);

/** One line for every request of the app, when its connection is done with it, however that came about. */
export function logRequests(app: FastifyInstance, writeLine: WriteLine): void {
  app.decorateRequest('record', null);
  app.addHook('onRequest', (request, reply, done) => {
    const record = recordOf(request);
    const { id, method, socket } = request;
    reply.raw.on('close', () => {
      const route = request.routeOptions.url ?? 'none';
      const traceparent = traceparentOf(request);
      writeLine({ id, traceparent, method, route, socket, response: reply.raw, record });
    });
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
