import type { FastifyRequest } from 'fastify';

/** Whether the client says in If-None-Match that it has the representation of this ETag (RFC 9110 section 13.1.2). */
export function isFresh(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match'] ?? '';
  return known.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
