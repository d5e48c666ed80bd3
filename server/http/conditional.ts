import type { FastifyRequest } from 'fastify';

/** Whether the client says in If-None-Match that it has the representation of this ETag (RFC 9110 section 13.1.2, weak comparison). */
export function isFresh(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return known.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}
