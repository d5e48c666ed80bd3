import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { forwardedHeaders } from '../upstream/upstream.ts';

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

/**
 * Headers of the request that goes upstream. What the gateway itself says (bearer, language, forwarding, trace) is
 * written last and cannot be removed by anything the client sends.
 * @param headers the client's, without those that its Connection field names (RFC 9110 section 7.6.1)
 * @param isReadable the gateway looks through the response, so it must not come compressed
 */
export function requestHeaders(
  request: FastifyRequest,
  headers: IncomingHttpHeaders,
  { isReadable }: { isReadable: boolean },
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of PASSED) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  if (isReadable) passed['accept-encoding'] = 'identity';
  const length = headers['content-length'];
  if (request.body instanceof Readable && length !== undefined) passed['content-length'] = length;
  const { cookies, routeOptions, server } = request;
  const isIdentity = routeOptions.config.proxied?.upstream === 'identity';
  const devices = isIdentity ? server.knownDevices.headers(cookies) : {};
  return Object.assign(passed, forwardedHeaders(request), devices, authorization(request));
}

/** The bearer that a request goes on with, if any. */
export function authorization({ session, publishToken }: Pick<FastifyRequest, 'session' | 'publishToken'>): {
  authorization?: string;
} {
  const bearer = session?.access_token ?? publishToken;
  return bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
}
