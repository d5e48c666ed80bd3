import type { FastifyRequest } from 'fastify';
import { traceHeaders } from '../upstream/upstream.ts';

/** What of a client's headers an upstream may see (requirement 25); everything else is left behind. */
const PASSED = [
  'accept',
  'accept-encoding',
  'content-type',
  'content-encoding',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
  'user-agent',
] as const;

/** Headers a Connection field names are for this hop alone (RFC 9110 section 7.6.1). */
function hopHeaders(connection: string | undefined): ReadonlySet<string> | undefined {
  if (connection === undefined || /^(?:keep-alive|close)$/i.test(connection)) return undefined;
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}

/**
 * Headers of the request that goes upstream. What the gateway itself says (bearer, language, forwarding, trace) is
 * written last and cannot be removed by anything the client sends.
 */
export function upstreamHeaders(
  request: FastifyRequest,
  own: {
    publicUrl: URL;
    language: string;
    bearer: string | undefined;
    /** Bytes of a body whose length is known. */
    contentLength?: string | undefined;
    /** The gateway looks through the answer, so it must not come compressed. */
    isReadable?: boolean;
    /** By what the identity service knows the browser. */
    devices: Record<string, string>;
  },
): Record<string, string> {
  const { headers } = request;
  const hop = hopHeaders(headers.connection);
  const passed: Record<string, string> = {};
  for (const name of PASSED) {
    const value = headers[name];
    if (typeof value === 'string' && !hop?.has(name)) passed[name] = value;
  }
  if (own.isReadable) passed['accept-encoding'] = 'identity';
  if (own.contentLength !== undefined) passed['content-length'] = own.contentLength;
  Object.assign(passed, forwardedHeaders(request, own), own.devices);
  if (own.bearer !== undefined) passed.authorization = `Bearer ${own.bearer}`;
  return passed;
}

/** What the gateway tells of the client and of itself. */
export function forwardedHeaders(
  request: FastifyRequest,
  { publicUrl, language }: { publicUrl: URL; language: string },
): Record<string, string> {
  return {
    'accept-language': language,
    'x-forwarded-for': request.ip,
    'x-forwarded-proto': publicUrl.protocol.slice(0, -1),
    'x-forwarded-host': publicUrl.host,
    ...traceHeaders(request),
  };
}
