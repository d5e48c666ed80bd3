import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable, Transform } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { appError } from '../../http/errors.ts';
import { forwardedHeaders } from '../upstream.ts';

/** A body of this size is read before it is sent, so that it can be sent once more with another token. */
const REPLAYABLE_BYTES = 64 * 1024;

/**
 * A content type parser: nothing, a buffer that can be sent again, or a stream that passes once and is counted meanwhile.
 * @throws AppError BODY_TOO_LARGE, MALFORMED_BODY
 */
export async function readBody(
  request: FastifyRequest,
  raw: IncomingMessage,
): Promise<Buffer | Transform | undefined> {
  const limit = request.routeOptions.config.proxied?.bodyLimit;
  const length = Number(raw.headers['content-length']);
  // What goes nowhere is refused by its handler, whatever its body.
  if (limit === undefined || length === 0) return undefined;
  if (length > limit) throw tooLarge();
  if (!(length <= REPLAYABLE_BYTES)) return passThrough(raw, limit);
  try {
    return Buffer.concat(await raw.toArray());
  } catch (error) {
    throw malformed(error);
  }
}

/** The rest of a refused body is not read: the connection ends with the answer. */
const tooLarge = () => appError('BODY_TOO_LARGE', { headers: { connection: 'close' } });
const malformed = (cause: unknown) => appError('MALFORMED_BODY', { cause });

/** The upstream's client may destroy what it is given; the client's own connection must outlive that for the answer. */
function passThrough(raw: IncomingMessage, limit: number): Transform {
  let counted = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      counted += chunk.length;
      if (counted > limit) done(tooLarge());
      else done(null, chunk);
    },
  });
  stream.on('error', () => undefined);
  // A client that still sends would not see the response.
  stream.once('close', () => raw.resume());
  raw.once('close', () => {
    if (!raw.complete) stream.destroy(malformed(new Error('the client went away')));
  });
  return raw.pipe(stream);
}

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
