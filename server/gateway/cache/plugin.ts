import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { contract } from '../../../shared/contract.ts';
import type { Route } from '../../../shared/route.ts';
import { SIGNATURE_HEADER } from '../../../shared/signed.ts';
import { isFresh } from '../../http/implement.ts';
import { recordOf, type UpstreamCall } from '../log.ts';
import { encodedPath, queryOf } from '../proxy/path.ts';
import { isHelpcenterPath } from '../proxy/table.ts';
import { forwardedHeaders, headerOf, jsonObject, readUpstream, type Upstreams } from '../upstream.ts';
import {
  type CachedResponse,
  cachedResponse,
  createBackgroundCompression,
  createResponseCache,
  encodedBody,
  type ResponseCache,
} from './response-cache.ts';

/** Bytes of each cache. */
const BYTES = {
  answers: 32 * 1024 * 1024,
  pages: 32 * 1024 * 1024,
  crawlers: 16 * 1024 * 1024,
} as const;

export type CacheName = keyof typeof BYTES;

declare module 'fastify' {
  interface FastifyInstance {
    /** Responses of services, pages and sitemaps that clients without a session share. */
    caches: Readonly<Record<CacheName, ResponseCache>>;
    /** Makes a cacheable call of the contract without a session. */
    readPublic: ReadPublic;
  }
  interface FastifyReply {
    /** Sends a cached response: 304 if the client has it, compressed if the client accepts that, unless `isPlain`. */
    sendCached(
      response: CachedResponse,
      cache: CacheName,
      options?: { isPlain?: boolean },
    ): Promise<FastifyReply>;
  }
}

/** Caches responses for clients without a session and answers their cacheable calls. */
export const cache = fp(
  async (app: FastifyInstance) => {
    const { metrics, upstreams } = app;
    const { log, perf } = app.gateway;
    const create = (name: CacheName): ResponseCache =>
      createResponseCache({
        bytes: BYTES[name],
        perf,
        onFetch: (outcome) => metrics.countCache(name, outcome),
        onRevalidationFailed: (error) => log.warn({ err: error, cache: name }, 'cache revalidation failed'),
      });
    const caches = { answers: create('answers'), pages: create('pages'), crawlers: create('crawlers') };
    const readPublic = createPublicReader(caches.answers, upstreams, watchTags(app));
    app.decorate('caches', caches);
    app.decorate('readPublic', readPublic);
    app.decorateReply('sendCached', createSender());

    const sendPublic = async (request: FastifyRequest, reply: FastifyReply, read: PublicRead) => {
      // So that the reply deletes the cookie.
      if (read.shared === undefined && request.sessionState?.kind === 'unusable') await request.loadSession();
      const response = await readPublic(request, read, (upstream) => {
        recordOf(request).upstream = upstream;
      });
      const control =
        read.shared === undefined || response.status !== 200 ? 'no-cache' : `public, max-age=${read.shared}`;
      await reply.header('cache-control', control).sendCached(response, 'answers');
    };
    app.addHook('onRequest', (request, reply, done) => {
      const read = publicReadOf(request);
      // The proxy checks whether the session is still valid, where it matters.
      const hasOwner = request.sessionState?.kind === 'unchecked' || request.bearerToken !== undefined;
      const isPersonal = hasOwner && read?.shared === undefined;
      if (!read || isPersonal) return done();
      sendPublic(request, reply, read).catch(done);
    });
  },
  {
    name: 'cache',
    dependencies: ['csrf', 'gateway', 'requests', 'metrics', 'rate-limit', 'session', 'upstreams'],
  },
);

function createSender(): FastifyReply['sendCached'] {
  const compressInBackground = createBackgroundCompression();
  return async function sendCached(this: FastifyReply, response, cache, { isPlain = false } = {}) {
    const { body, encoding } = await encodedBody(
      response,
      isPlain ? '' : this.request.headers['accept-encoding'],
    );
    response.sent += 1;
    // A page that is requested only once is not worth the CPU time.
    if (cache === 'pages' && encoding === 'br' && response.isCacheable && response.sent > 1) {
      compressInBackground(response, (err) => this.log.warn({ err }, 'background compression failed'));
    }
    this.header('etag', response.etag);
    if (response.signature !== undefined) this.header(SIGNATURE_HEADER, response.signature);
    if (response.status === 200 && isFresh(this.request, response.etag)) return this.code(304).send();
    if (encoding) this.header('content-encoding', encoding);
    return this.code(response.status).header('content-type', response.contentType).send(body);
  };
}

/** Logs a warning when the list of tags becomes empty, and reports each change to `onTags`. */
function watchTags({ gateway: { log, onTags } }: FastifyInstance): (hasTags: boolean) => void {
  let last: boolean | undefined;
  return (hasTags) => {
    if (hasTags === last) return;
    last = hasTags;
    if (!hasTags) log.warn('community service returned no tags');
    onTags?.(hasTags);
  };
}

/** A cacheable call of the contract. */
type PublicRead = {
  upstream: 'community' | 'helpcenter';
  /** Cache lifetime in the contract. */
  seconds: number;
  /** Seconds for which any cache may keep the response; undefined if each must ask again. */
  shared?: number | undefined;
  /** Normalized path and query, see `publicTarget`. */
  target: string;
};

export type ReadPublic = (
  request: FastifyRequest,
  read: PublicRead,
  /** Called with the call to the service, if one was made. */
  note?: (upstream: UpstreamCall) => void,
) => Promise<CachedResponse>;

/** The Cache-Control header of a service overrides the contract (RFC 9111 section 5.2.2). */
const FORBIDS_CACHING = /(?:^|[\s,])(?:no-store|private)(?=$|[\s,=])/i;

/**
 * Reads without a session that the contract marks cacheable, coalesced and cached for the contract's seconds. The cache
 * key is the language, the path and the known query parameters in a fixed order.
 * @param onTags called with each list of tags
 */
export function createPublicReader(
  cache: ResponseCache,
  upstreams: Upstreams,
  onTags: (hasTags: boolean) => void,
): ReadPublic {
  return (request, { upstream, seconds, target }, note) => {
    const load = async (): Promise<CachedResponse> => {
      const started = performance.now();
      const { status, headers, body } = await readUpstream(upstreams[upstream], {
        path: target,
        headers: { ...forwardedHeaders(request), accept: 'application/json' },
      });
      note?.({ name: upstream, attempts: 1, status, total_ms: Math.round(performance.now() - started) });
      if (target === contract.listTags.path && status === 200) {
        const { tag_list } = Object(jsonObject(body).data);
        if (Array.isArray(tag_list)) onTags(tag_list.length > 0);
      }
      const contentType = headerOf(headers, 'content-type') ?? 'application/octet-stream';
      const isCacheable = !FORBIDS_CACHING.test(headerOf(headers, 'cache-control') ?? '');
      const signature = headerOf(headers, SIGNATURE_HEADER);
      return cachedResponse(status, contentType, body, { isCacheable, signature });
    };
    return cache.get(`${request.language} ${target}`, seconds * 1000, { load });
  };
}

/** Target and cache key, with known parameters only: clients must not fill the cache with invented ones. */
export function publicTarget(route: Route, path: string, query: URLSearchParams): string {
  const known = Object.keys(route.query?.properties ?? {})
    .sort()
    .flatMap((name) => query.getAll(name).map((value): [string, string] => [name, value]));
  return known.length === 0 ? path : `${path}?${new URLSearchParams(known)}`;
}

/** Cacheable calls of the contract. Help-center calls are proxied by their prefix, uncached. */
const PUBLIC_ROUTES: ReadonlyMap<string, Route> = new Map(
  Object.values<Route>(contract)
    .filter(({ cache, path }) => cache !== undefined && !isHelpcenterPath(path))
    .map((route) => [route.path, route]),
);

/** The cacheable call of a request; undefined for any other request. */
function publicReadOf({ method, raw, segments }: FastifyRequest): PublicRead | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const path = encodedPath(segments);
  const route = PUBLIC_ROUTES.get(path);
  if (route?.cache === undefined) return undefined;
  const target = publicTarget(route, path, new URLSearchParams(queryOf(raw.url ?? '')));
  return { upstream: 'community', seconds: route.cache, shared: route.shared, target };
}
