import type { FastifyRequest } from 'fastify';

const VALID = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * The trace a request belongs to (W3C Trace Context): the span that tracing has begun for it, else the client's when it
 * names a valid one, else one made of the request's id.
 */
export function traceparentOf(request: FastifyRequest): string {
  if (request.traceparent !== undefined) return request.traceparent;
  const sent = request.headers.traceparent;
  if (typeof sent === 'string' && VALID.test(sent)) return sent;
  const trace = request.id.replaceAll('-', '').padEnd(32, '0');
  return `00-${trace}-${trace.slice(16)}-01`;
}
