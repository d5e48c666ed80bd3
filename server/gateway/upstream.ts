import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Dispatcher } from 'undici';
import type { ErrorCode } from '../../shared/errors.ts';
import { type AppError, appError, isAppError } from '../http/errors.ts';
import { type Fetch, openPools, responseOf } from '../http/outgoing.ts';
import { clientRefusal } from '../http/service-credential.ts';
import { traceparentOf, type UpstreamName } from './log.ts';

/** A service behind the gateway. Its origin is fixed; no request can change it. */
export type Upstream = {
  name: UpstreamName;
  origin: string;
  /** Path of the base URL without a trailing slash; prefixed to every path. */
  basePath: string;
  /** Milliseconds for the response head and between chunks of the body. */
  timeout: number;
  /** Authorization of calls without a user's bearer. */
  credential: string | undefined;
  dispatcher: Dispatcher;
  watch: () => (status?: number) => void;
};

export type Upstreams = {
  community: Upstream;
  helpcenter: Upstream;
  identity: Upstream;
  /** The analytics collector, if configured. */
  collector?: Upstream;
};

declare module 'fastify' {
  interface FastifyInstance {
    upstreams: Upstreams;
    /** One origin of the sign-in service, which may use several. */
    signInAt: (origin: string) => Upstream;
  }
}

/**
 * The services behind the gateway, with one connection pool for each origin. Calls use undici's dispatcher directly: it
 * provides back-pressure and aborts, never follows redirects, never retries, and verifies TLS.
 */
export const upstreams = fp(
  async (app: FastifyInstance) => {
    const { gateway, metrics } = app;
    const { auth, collectorUrl, upstreams } = gateway.config;
    const { timeouts } = gateway;
    const { community, helpcenter, identity } = gateway.upstreams;
    const { poolOf, close } = await openPools({ ca: upstreams.ca, connectTimeout: timeouts.connect });
    const { credentials = {} } = gateway;
    const upstream = (
      name: UpstreamName,
      address: string,
      timeout: number,
      credential?: string,
    ): Upstream => {
      const { origin, pathname } = new URL(address);
      const basePath = pathname.replace(/\/+$/, '');
      return {
        name,
        origin,
        basePath,
        timeout,
        credential,
        dispatcher: poolOf(origin),
        watch: () => metrics.watchUpstream(name),
      };
    };
    // With an OpenID Connect provider there may be no user service.
    const signInAddress = auth.provider === 'oidc' ? (auth.oidc.issuer ?? identity) : identity;
    const signInAt = (address: string) => upstream('identity', address, timeouts.userService);
    app.decorate('upstreams', {
      community: upstream('community', community, timeouts.community, credentials.community),
      helpcenter: upstream('helpcenter', helpcenter, timeouts.community, credentials.helpcenter),
      identity: { ...signInAt(signInAddress), credential: credentials.identity },
      ...(collectorUrl !== undefined && {
        collector: upstream('collector', collectorUrl, timeouts.collector),
      }),
    });
    app.decorate('signInAt', signInAt);
    app.addHook('onClose', close);
  },
  { name: 'upstreams', dependencies: ['gateway', 'metrics'] },
);

/** R 14.1: calls are answered by the service itself. */
export const NO_CACHE = { 'cache-control': 'no-cache' };

/** Headers that describe the client and the gateway to an upstream. */
export function forwardedHeaders(request: FastifyRequest): Record<string, string> {
  const { publicUrl } = request.server.gateway;
  return {
    'accept-language': request.language,
    // Files are immutable: a cache in between may answer.
    ...(request.contractRoute?.file !== true && NO_CACHE),
    'x-forwarded-for': request.clientAddress,
    'x-forwarded-proto': publicUrl.protocol.slice(0, -1),
    'x-forwarded-host': publicUrl.host,
    ...traceHeaders(request),
  };
}

/** Request id and trace context (W3C Trace Context). */
export function traceHeaders(request: FastifyRequest): Record<string, string> {
  return { 'x-request-id': request.id, traceparent: traceparentOf(request) };
}

/** Maximum size of a buffered response. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

type UpstreamRequest = {
  method: 'GET' | 'POST';
  /** Path below the base URL, with query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Milliseconds for the complete response; by default the upstream's timeout. */
  timeout?: number;
};

type UpstreamResponse = { status: number; headers: Dispatcher.ResponseData['headers']; body: Buffer };

/** Calls an upstream and buffers the response. @throws AppError UPSTREAM_* */
export async function callUpstream(upstream: Upstream, call: UpstreamRequest): Promise<UpstreamResponse> {
  const { method, path, headers } = call;
  const observe = upstream.watch();
  try {
    const response = await upstream.dispatcher.request({
      origin: upstream.origin,
      path: upstream.basePath + path,
      method,
      headers: withCredential(upstream, headers),
      body: call.body ?? null,
      signal: AbortSignal.timeout(call.timeout ?? upstream.timeout),
    });
    const body = await readBody(response.body);
    observe(response.statusCode);
    const refusal = refusalBy(upstream, response.statusCode, response.headers);
    if (refusal) throw refusal;
    if (response.headers['content-encoding'] !== undefined)
      throw invalidResponse('unexpected content encoding');
    return { status: response.statusCode, headers: response.headers, body };
  } catch (error) {
    observe();
    throw upstreamError(error);
  }
}

/** Headers of a call; the credential takes the place of a user's bearer. */
export function withCredential<H extends object>({ credential }: Upstream, headers: H): H {
  return credential === undefined || 'authorization' in headers
    ? headers
    : { ...headers, authorization: credential };
}

/** The error when a service refuses the gateway itself; undefined if it does not. */
export function refusalBy(
  { name, credential }: Upstream,
  status: number,
  headers: UpstreamResponse['headers'],
): AppError | undefined {
  const challenge = headers['www-authenticate'];
  const refusal = clientRefusal(name, { status, challenge, isSent: credential !== undefined });
  return refusal === undefined ? undefined : invalidResponse(refusal);
}

/** A GET, retried once if there was no response (R 10.10). @throws AppError UPSTREAM_* */
export async function readUpstream(
  upstream: Upstream,
  call: Omit<UpstreamRequest, 'method' | 'body'>,
): Promise<UpstreamResponse> {
  const read = () => callUpstream(upstream, { ...call, method: 'GET' });
  return read().catch((error: unknown) => {
    if (!isNetworkFailure(error)) throw error;
    return read();
  });
}

/** Throwing in the loop destroys the body, so that no unread data remains. */
async function readBody(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) throw invalidResponse('response too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function invalidResponse(reason: string) {
  return appError('UPSTREAM_INVALID', { cause: new Error(reason) });
}

/** The body as a JSON object; an empty one for anything else, such as a proxy's error page. */
export function jsonObject(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first value of a response header. */
export function headerOf(headers: UpstreamResponse['headers'], name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Errors other than UPSTREAM_UNAVAILABLE, by code or name. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  TimeoutError: 'UPSTREAM_TIMEOUT',
  HTTPParserError: 'UPSTREAM_INVALID',
  UND_ERR_HEADERS_TIMEOUT: 'UPSTREAM_TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'UPSTREAM_TIMEOUT',
  UND_ERR_HEADERS_OVERFLOW: 'UPSTREAM_INVALID',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'UPSTREAM_INVALID',
};

/** The error of a failed call for the client. Addresses and system errors are only in `cause`, for the log. */
export function upstreamError(error: unknown): AppError {
  if (isAppError(error)) return error;
  const { name, code } = Object(error);
  return appError(CODES[name] ?? CODES[code] ?? 'UPSTREAM_UNAVAILABLE', { cause: error });
}

/** Whether there was no response at all, so that a retry may help. */
export function isNetworkFailure(error: unknown): boolean {
  return isAppError(error) && error.code === 'UPSTREAM_UNAVAILABLE';
}

/** A `fetch` with an upstream's connections, private CA, timeout and metrics. @throws AppError UPSTREAM_* */
export function createFetch(upstreamOf: (origin: string) => Upstream): Fetch {
  return async (address, { method, headers, body }) => {
    const { origin, pathname, search } = new URL(address);
    const call = { path: pathname + search, headers: Object.fromEntries(new Headers(headers)) };
    const response = await callUpstream(
      { ...upstreamOf(origin), basePath: '' },
      method === 'POST' ? { ...call, method, body: String(body ?? '') } : { ...call, method: 'GET' },
    );
    return responseOf({ ...response, text: response.body.toString('utf8') });
  };
}
