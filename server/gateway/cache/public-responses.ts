import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { contract } from '../../../shared/contract.ts';
import type { Route } from '../../../shared/route.ts';
import type { UpstreamNote } from '../log.ts';
import { decodedSegments, encodedPath, pathOf, queryOf } from '../proxy/path.ts';
import { isHelpcenterPath } from '../proxy/table.ts';
import { askRead, forwardedHeaders, headerOf, jsonObject, type Upstreams } from '../upstream.ts';
import { type CachedResponse, cachedResponse } from './cached-response.ts';
import type { ResponseCache } from './response-cache.ts';

/** A cacheable call of the contract. */
type PublicRead = {
  upstream: 'community' | 'helpcenter';
  /** Seconds that the contract lets a response be cached. */
  seconds: number;
  /** Path and query in their one spelling, see `publicTarget`. */
  target: string;
};

export type ReadPublic = (
  request: FastifyRequest,
  read: PublicRead,
  /** Told of the call to the service, when one had to be made. */
  note?: (upstream: UpstreamNote) => void,
) => Promise<CachedResponse>;

/** A service's own word on a response goes before the contract's (RFC 9111 section 5.2.2). */
const FORBIDS_CACHING = /(?:^|[\s,])(?:no-store|private)(?=$|[\s,=])/i;

/**
 * Reads without a session that the contract marks cacheable: asked for once however many want it, cached for the
 * contract's seconds. The cache key is path, known query parameters in a fixed order, and language; so never across
 * languages, and never for a session.
 * @param onTags told with each list of tags whether there are any
 */
export function createPublicReader(
  cache: ResponseCache,
  upstreams: Upstreams,
  onTags: (hasTags: boolean) => void,
): ReadPublic {
  return (request, { upstream, seconds, target }, note) => {
    const load = async (): Promise<CachedResponse> => {
      const started = performance.now();
      const { status, headers, body } = await askRead(upstreams[upstream], {
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
      return cachedResponse(status, contentType, body, isCacheable);
    };
    return cache.get(`${request.language} ${target}`, seconds * 1000, { load });
  };
}

/**
 * What goes upstream and into the cache key. Only what the contract knows is in it, in a fixed order: nobody fills the
 * cache with invented parameters.
 */
export function publicTarget(route: Route, path: string, query: URLSearchParams): string {
  const known = Object.keys(route.query?.properties ?? {})
    .sort()
    .flatMap((name) => query.getAll(name).map((value) => [name, value]));
  return known.length === 0 ? path : `${path}?${new URLSearchParams(known)}`;
}

/** Calls of the contract that anonymous clients share. The help center's pass by their prefix, uncached. */
const PUBLIC_ROUTES: ReadonlyMap<string, Route> = new Map(
  Object.values<Route>(contract)
    .filter(({ cache, path }) => cache !== undefined && !isHelpcenterPath(path))
    .map((route) => [route.path, route]),
);

/** Characters of addresses whose one spelling is remembered. */
const TARGET_BYTES = 1024 * 1024;
const reads = new LRUCache<string, PublicRead>({ maxSize: TARGET_BYTES });

/** What of the cache a request's address names; undefined for all that is not shared. */
export function publicReadOf({ method, raw: { url = '' } }: FastifyRequest): PublicRead | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const known = reads.get(url);
  if (known) return known;
  const path = url.includes('%') ? encodedPath(decodedSegments(url) ?? []) : pathOf(url);
  const route = PUBLIC_ROUTES.get(path);
  if (route?.cache === undefined) return undefined;
  const target = publicTarget(route, path, new URLSearchParams(queryOf(url)));
  const read: PublicRead = { upstream: 'community', seconds: route.cache, target };
  reads.set(url, read, { size: url.length + target.length });
  return read;
}
