import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Dispatcher } from 'undici';
import { COMMUNITY_TIMEOUT, CONNECT_TIMEOUT, USER_SERVICE_TIMEOUT } from '../../shared/constants.ts';
import type { ErrorCode } from '../../shared/errors.ts';
import { type AppError, appError, isAppError } from '../http/errors.ts';
import { type Fetch, openPools, responseOf } from '../http/outgoing.ts';
import { traceparentOf, type UpstreamName } from './log.ts';

/** A service behind the gateway. Its address is fixed here, once; nothing of a request can change it. */
export type Upstream = {
  name: UpstreamName;
  origin: string;
  /** Path of the base address without a trailing slash; prefixed to every path. */
  basePath: string;
  /** Milliseconds for the head of an answer and between its parts. */
  timeout: number;
  dispatcher: Dispatcher;
  watch: () => (status?: number) => void;
};

export type Upstreams = {
  community: Upstream;
  helpcenter: Upstream;
  identity: Upstream;
  /** The analytics collector, where there is one. */
  collector?: Upstream;
};

/** Milliseconds the collector has for an answer that nobody waits for. */
const COLLECTOR_TIMEOUT = 10_000;

declare module 'fastify' {
  interface FastifyInstance {
    upstreams: Upstreams;
    /** An origin of the sign-in service, which may be spread over several. */
    signInAt: (origin: string) => Upstream;
  }
}

/**
 * The services behind the gateway: one connection pool for each origin. Calls go to undici's dispatcher itself: it gives
 * back-pressure, aborts and errors of both sides at the moment they happen, follows no redirect, retries nothing and
 * verifies TLS.
 */
export const upstreams = fp(
  async (app: FastifyInstance) => {
    const { gateway, metrics } = app;
    const { auth, collectorUrl, upstreams } = gateway.config;
    const { community, helpcenter, identity } = gateway.upstreams;
    const { poolOf, close } = await openPools({ ca: upstreams.ca, connectTimeout: CONNECT_TIMEOUT });
    const upstream = (name: UpstreamName, address: string, timeout: number): Upstream => {
      const { origin, pathname } = new URL(address);
      const basePath = pathname.replace(/\/+$/, '');
      return {
        name,
        origin,
        basePath,
        timeout,
        dispatcher: poolOf(origin),
        watch: () => metrics.watchUpstream(name),
      };
    };
    // Behind an OpenID Connect provider there need be no user service.
    const signInAddress = auth.provider === 'oidc' ? (auth.oidc.issuer ?? identity) : identity;
    const signInAt = (address: string) => upstream('identity', address, USER_SERVICE_TIMEOUT);
    app.decorate('upstreams', {
      community: upstream('community', community, COMMUNITY_TIMEOUT),
      helpcenter: upstream('helpcenter', helpcenter, COMMUNITY_TIMEOUT),
      identity: signInAt(signInAddress),
      ...(collectorUrl !== undefined && {
        collector: upstream('collector', collectorUrl, COLLECTOR_TIMEOUT),
      }),
    });
    app.decorate('signInAt', signInAt);
    app.addHook('onClose', close);
  },
  { name: 'upstreams', dependencies: ['gateway', 'metrics'] },
);

/** What the gateway tells an upstream of the client and of itself. */
export function forwardedHeaders(request: FastifyRequest): Record<string, string> {
  const { publicUrl } = request.server.gateway;
  return {
    'accept-language': request.language,
    'x-forwarded-for': request.ip,
    'x-forwarded-proto': publicUrl.protocol.slice(0, -1),
    'x-forwarded-host': publicUrl.host,
    ...traceHeaders(request),
  };
}

/** Headers that tell an upstream which request of ours this is (W3C Trace Context). */
export function traceHeaders(request: FastifyRequest): Record<string, string> {
  return { 'x-request-id': request.id, traceparent: traceparentOf(request) };
}

/** Largest answer that is read whole. */
export const ANSWER_BYTES = 8 * 1024 * 1024;

type Question = {
  method: 'GET' | 'POST';
  /** Below the base address, with its query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Milliseconds for the whole answer, where less than the upstream's own. */
  timeout?: number;
};

type Answer = { status: number; headers: Dispatcher.ResponseData['headers']; body: Buffer };

/** Asks an upstream and reads the answer whole. @throws AppError UPSTREAM_* */
export async function ask(upstream: Upstream, question: Question): Promise<Answer> {
  const { method, path, headers } = question;
  const ended = upstream.watch();
  try {
    const response = await upstream.dispatcher.request({
      origin: upstream.origin,
      path: upstream.basePath + path,
      method,
      headers,
      body: question.body ?? null,
      signal: AbortSignal.timeout(question.timeout ?? upstream.timeout),
    });
    const body = await readWhole(response.body);
    ended(response.statusCode);
    if (response.headers['content-encoding'] !== undefined) throw invalid('encoded unasked');
    return { status: response.statusCode, headers: response.headers, body };
  } catch (error) {
    ended();
    throw upstreamError(error);
  }
}

/** As `ask`, for a GET: tried once more when no answer came (requirement 32). */
export async function askRead(
  upstream: Upstream,
  question: Omit<Question, 'method' | 'body'>,
): Promise<Answer> {
  const read = () => ask(upstream, { ...question, method: 'GET' });
  return read().catch((error: unknown) => {
    if (!isNetworkFailure(error)) throw error;
    return read();
  });
}

/** Leaving the loop early destroys the body, so nothing stays unread. */
async function readWhole(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ANSWER_BYTES) throw invalid('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function invalid(why: string) {
  return appError('UPSTREAM_INVALID', { cause: new Error(`answer ${why}`) });
}

/** The body as an object; an empty one for anything else (a proxy's error page, a bare text). */
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

/** A single header of an answer. */
export function headerOf(headers: Answer['headers'], name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Failures that are no plain lack of an answer, by their code or name. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  TimeoutError: 'UPSTREAM_TIMEOUT',
  HTTPParserError: 'UPSTREAM_INVALID',
  UND_ERR_HEADERS_TIMEOUT: 'UPSTREAM_TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'UPSTREAM_TIMEOUT',
  UND_ERR_HEADERS_OVERFLOW: 'UPSTREAM_INVALID',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'UPSTREAM_INVALID',
};

/** A failed call as the client may know it: no address, no system error; those stay in `cause`, for the log. */
export function upstreamError(error: unknown): AppError {
  if (isAppError(error)) return error;
  const { name, code } = Object(error);
  return appError(CODES[name] ?? CODES[code] ?? 'UPSTREAM_UNAVAILABLE', { cause: error });
}

/** True when no answer came at all, so that asking once more may help. */
export function isNetworkFailure(error: unknown): boolean {
  return isAppError(error) && error.code === 'UPSTREAM_UNAVAILABLE';
}

/**
 * A `fetch` that asks through an upstream's connections: with its private authority, timeout and metrics, following
 * no redirect. The address may lie on any origin that `upstreamOf` knows.
 * @throws AppError UPSTREAM_*
 */
export function createFetch(upstreamOf: (origin: string) => Upstream): Fetch {
  return async (address, { method, headers, body }) => {
    const { origin, pathname, search } = new URL(address);
    const question = { path: pathname + search, headers: Object.fromEntries(new Headers(headers)) };
    const answer = await ask(
      { ...upstreamOf(origin), basePath: '' },
      method === 'POST' ? { ...question, method, body: String(body ?? '') } : { ...question, method: 'GET' },
    );
    return responseOf({ ...answer, text: answer.body.toString('utf8') });
  };
}
