import { createHmac, hkdfSync } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache } from 'lru-cache';
import { ERRORS, type ErrorCode } from '../../shared/errors.ts';
import { toAppError } from '../http/errors.ts';
import { type Session, type SessionState, sessionHash } from './session/session.ts';

export type UpstreamName = 'community' | 'helpcenter' | 'identity' | 'collector';

/** Also the labels of a metric. */
export type CsrfViolation = 'header' | 'origin' | 'fetch-site' | 'fetch-dest';

/** A call to a service, for the log. Times in milliseconds. */
export type UpstreamCall = {
  name: UpstreamName;
  attempts: number;
  status?: number;
  first_byte_ms?: number;
  total_ms?: number;
  /** The response was truncated after its head. */
  cut?: true;
};

/** Data of a request for its log line and the metrics. */
type RequestRecord = {
  started: number;
  code?: ErrorCode;
  csrf?: 'not_needed' | 'passed' | CsrfViolation;
  /** Result of the token refresh that this request started or waited for. */
  refresh?: 'renewed' | 'refused' | 'failed';
  upstream?: UpstreamCall;
};

declare module 'fastify' {
  interface FastifyRequest {
    record: RequestRecord | null;
  }
}

export function recordOf(request: FastifyRequest): RequestRecord {
  request.record ??= { started: performance.now() };
  return request.record;
}

/** Logs a security event. Sign-ins, sign-outs and rejected refreshes are logged where they happen. No personal data. */
export function logSecurityEvent(
  { id: reqId, server }: Pick<FastifyRequest, 'id' | 'server'>,
  event: 'csrf_refused' | 'forbidden' | 'rate_limited',
  fields: Readonly<Record<string, string>>,
): void {
  // Not the log of the request, whose level depends on its route.
  server.gateway.log.info({ reqId, event, ...fields }, 'security event');
}

const VALID = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** W3C Trace Context of a request: its span if it is traced, else the client's if valid, else from its id. */
export function traceparentOf({ id, headers, traceparent }: FastifyRequest): string {
  if (traceparent !== undefined) return traceparent;
  const sent = headers.traceparent;
  if (typeof sent === 'string' && VALID.test(sent)) return sent;
  const trace = id.replaceAll('-', '');
  return `00-${trace}-${trace.slice(16)}-01`;
}

/** One log line and one observation per request, also if aborted. Logs only these fields, and no URL. */
export const requestLog = fp(
  async (app: FastifyInstance) => {
    const { gateway, metrics } = app;
    const { log } = gateway;
    const pseudonymsOf = createPseudonyms(gateway.keys);
    const countBytes = createByteCount();

    function write(request: FastifyRequest, { raw: response }: FastifyReply): void {
      const { id: reqId, method, socket } = request;
      const { started, code, csrf, refresh, upstream } = recordOf(request);
      const session = sessionOf(request.sessionState);
      const { statusCode: status, writableFinished } = response;
      const route = request.routeOptions.url ?? 'none';
      const bytes = countBytes(socket);
      const duration_ms = performance.now() - started;
      metrics.http.observe({ route, method, status }, duration_ms / 1000);
      // A request timeout is written to the socket directly, and a truncated response is caused by the service.
      const isAborted =
        !writableFinished && status !== ERRORS.REQUEST_TIMEOUT.status && upstream?.cut !== true;
      if (isAborted) metrics.countAbort();
      const names = session && pseudonymsOf(session);
      if (status === 403 && code !== 'CSRF_REFUSED')
        logSecurityEvent(request, 'forbidden', { route, ...names });
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
          client_aborted: isAborted || undefined,
        },
        'request',
      );
    }

    app.decorateRequest('record', null);
    app.addHook('onRequest', (request, reply, done) => {
      recordOf(request);
      // The onResponse hook does not run if the client disconnects.
      reply.raw.on('close', () => write(request, reply));
      done();
    });
    app.addHook('onError', async (request, _reply, error) => {
      recordOf(request).code = toAppError(error).code;
    });
  },
  { name: 'request-log', dependencies: ['gateway', 'metrics'] },
);

/** The session that a request has used; not one that it did not ask for, or that had ended before. */
function sessionOf(state: SessionState | null): Session | undefined {
  return state && 'session' in state ? state.session : undefined;
}

/** Bytes of a connection since the last call: those of one request and its response, with headers. */
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

const CACHE_SIZE = 10_000;

/**
 * Pseudonyms of user and session for the log. The user's is an HMAC-SHA-256 with a key derived from the first session
 * key, because a plain hash of a user id could be reversed by trying all ids. Gateways with the same keys write the
 * same ones.
 */
function createPseudonyms([master]: readonly Buffer[]): (session: Session) => Pseudonyms {
  if (!master) throw new Error('pseudonyms need a key');
  const key = Buffer.from(hkdfSync('sha256', master, '', 'plugin-square log', 32));
  const cache = new LRUCache<string, Pseudonyms, Session>({
    max: CACHE_SIZE,
    memoMethod: (_id, _stale, { context: session }) => ({
      user: createHmac('sha256', key).update(String(session.user.user_id)).digest('base64url').slice(0, 16),
      session: sessionHash(session),
    }),
  });
  return (session) => cache.memo(session.id, { context: session });
}
