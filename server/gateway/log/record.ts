import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../shared/errors.ts';
import type { Session } from '../session/session.ts';

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
export type RequestRecord = {
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
