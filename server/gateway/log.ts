import { createHmac, hkdfSync } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { ERRORS, type ErrorCode } from '../../shared/errors.ts';
import { toAppError } from '../http/errors.ts';
import { type Session, sessionHash } from './session/session.ts';

export type UpstreamName = 'community' | 'helpcenter' | 'identity' | 'collector';

/** Why a request does not count as one of our own pages; also labels of a metric. */
export type CsrfViolation = 'header' | 'origin' | 'fetch-site' | 'fetch-dest';

/** A call to a service as the log tells it. Times in milliseconds. */
export type UpstreamNote = {
  name: UpstreamName;
  attempts: number;
  status?: number;
  first_byte_ms?: number;
  total_ms?: number;
  /** The response was truncated after its head. */
  cut?: true;
};

/** What handlers note about a request for its log line and the figures. */
type RequestRecord = {
  started: number;
  session?: Session;
  code?: ErrorCode;
  csrf?: 'not_needed' | 'passed' | CsrfViolation;
  /** What a refresh that this request needed has come to, be it its own or one it has waited for. */
  refresh?: 'renewed' | 'refused' | 'failed';
  upstream?: UpstreamNote;
};

declare module 'fastify' {
  interface FastifyRequest {
    record: RequestRecord | null;
  }
}

/** The record of a request; made by the first hook, so it is there in every handler. */
export function recordOf(request: FastifyRequest): RequestRecord {
  request.record ??= { started: performance.now() };
  return request.record;
}

/**
 * Writes what somebody who watches for attacks looks for, as a log line of its own. Signing in and out and refused refreshes
 * are written where they happen. The fields say what, never who in plain words.
 */
export function noteSecurityEvent(
  request: Pick<FastifyRequest, 'log'>,
  event: 'csrf_refused' | 'forbidden' | 'rate_limited',
  fields: Readonly<Record<string, string>>,
): void {
  request.log.info({ event, ...fields }, 'security event');
}

const VALID = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * The trace a request belongs to (W3C Trace Context): the span that tracing has begun for it, else the client's when it
 * names a valid one, else one made of the request's id.
 */
export function traceparentOf({ id, headers, traceparent }: FastifyRequest): string {
  if (traceparent !== undefined) return traceparent;
  const sent = headers.traceparent;
  if (typeof sent === 'string' && VALID.test(sent)) return sent;
  const trace = id.replaceAll('-', '');
  return `00-${trace}-${trace.slice(16)}-01`;
}

/**
 * One line and one observation for every request, when its connection is done with it, however that came about. Only the
 * fields named here are written; the route is the template, never the address.
 */
export const requestLog = fp(
  async (app: FastifyInstance) => {
    const { gateway, metrics } = app;
    const { log } = gateway;
    const pseudonymsOf = createPseudonyms(gateway.keys);
    const countBytes = createByteCount();

    function write(request: FastifyRequest, { raw: response }: FastifyReply): void {
      const { id: reqId, method, socket } = request;
      const { started, session, code, csrf, refresh, upstream } = recordOf(request);
      const { statusCode: status, writableFinished } = response;
      const route = request.routeOptions.url ?? 'none';
      const bytes = countBytes(socket);
      const duration_ms = performance.now() - started;
      metrics.http.observe({ route, method, status }, duration_ms / 1000);
      // What a slow body is answered goes past the response, and a response that was truncated is the service's doing.
      const hasLeft = !writableFinished && status !== ERRORS.REQUEST_TIMEOUT.status && upstream?.cut !== true;
      if (hasLeft) metrics.countAbort();
      const names = session && pseudonymsOf(session);
      if (status === 403 && code !== 'CSRF_REFUSED')
        noteSecurityEvent({ log: log.child({ reqId }) }, 'forbidden', { route, ...names });
      const role = session && app.roles.last(session);
      log.info(
        {
          reqId,
          traceparent: traceparentOf(request),
          method,
          route,
          status,
          duration_ms: Math.round(duration_ms * 10) / 10,
          ...bytes,
          ...names,
          role,
          csrf,
          refresh,
          upstream,
          code,
          client_aborted: hasLeft || undefined,
        },
        'request',
      );
    }

    app.decorateRequest('record', null);
    app.addHook('onRequest', (request, reply, done) => {
      recordOf(request);
      // onResponse says nothing of a client that has left.
      reply.raw.on('close', () => write(request, reply));
      done();
    });
    app.addHook('onError', async (request, _reply, error) => {
      recordOf(request).code = toAppError(error).code;
    });
  },
  { name: 'request-log', dependencies: ['gateway', 'metrics'] },
);

/** Bytes that have passed a connection since it was asked last: one request's, heads included. */
function createByteCount() {
  const counted = new WeakMap<Socket, { read: number; written: number }>();
  return (socket: Socket) => {
    const { bytesRead: read, bytesWritten: written } = socket;
    const before = counted.get(socket) ?? { read: 0, written: 0 };
    counted.set(socket, { read, written });
    return { bytes_in: read - before.read, bytes_out: written - before.written };
  };
}

type Pseudonyms = { user: string; session: string };

/** Sessions whose pseudonyms are cached. */
const SESSIONS = 10_000;

/**
 * Names for the log that stand for a user and a session and lead back to neither. The user's is keyed (HMAC-SHA-256 under
 * a key derived from the first session key), because user ids are few enough to try them all; gateways with the same keys
 * write the same name.
 */
function createPseudonyms([master]: readonly Buffer[]): (session: Session) => Pseudonyms {
  if (!master) throw new Error('names for the log need a key');
  const key = Buffer.from(hkdfSync('sha256', master, '', 'plugin-square log', 32));
  const cache = new LRUCache<string, Pseudonyms, Session>({
    max: SESSIONS,
    memoMethod: (_id, _stale, { context: session }) => ({
      user: createHmac('sha256', key).update(String(session.user.user_id)).digest('base64url').slice(0, 16),
      session: sessionHash(session),
    }),
  });
  return (session) => cache.memo(session.id, { context: session });
}
