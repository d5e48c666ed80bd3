import type { FastifyRequest } from 'fastify';
import { traceHeaders } from '../upstream/upstream.ts';

/**
 * Headers of a call that begins a session for who makes this request: the service that keeps the session may tell people
 * which of theirs it is.
 */
export function personHeaders(request: FastifyRequest): Record<string, string> {
  const agent = request.headers['user-agent'];
  return { ...traceHeaders(request), ...(agent !== undefined && { 'user-agent': agent }) };
}
