import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { contract } from '../../../shared/contract.ts';
import type { Language } from '../../../shared/languages.ts';
import type { Route } from '../../../shared/route.ts';
import type { UpstreamNote } from '../log/record.ts';
import { decodedSegments, encodedPath, pathOf, queryOf } from '../proxy/path.ts';
import { isHelpcenterPath } from '../proxy/table.ts';
import { askRead, headerOf, jsonObject } from '../upstream/ask.ts';
import type { Upstreams } from '../upstream/upstream.ts';
import { type CachedResponse, cachedResponse } from './cached-response.ts';
import type { ResponseCache } from './response-cache.ts';

export type PublicRead = {
  /** The service that answers. */
  upstream: 'community' | 'helpcenter';
  /** Seconds that the contract lets a response be cached. */
  seconds: number;
  /** Path and query in their one spelling, see `publicTarget`. */
  target: string;
  language: Language;
  /** Headers of the call to the service, when one has to be made. */
  headers: () => Record<string, string>;
  /** Told of the call to the service, when one had to be made for this read. */
  note?: (upstream: UpstreamNote) => void;
};

export type ReadPublic = (read: PublicRead) => Promise<CachedResponse>;

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
  upstreams: Pick<Upstreams, PublicRead['upstream']>,
  onTags: (hasTags: boolean) => void,
): ReadPublic {
  return ({ upstream, seconds, target, language, headers, note }) => {
    const load = async (): Promise<CachedResponse> => {
      const started = performance.now();
      const answer = await askRead(upstreams[upstream], {
        path: target,
        headers: { ...headers(), 'accept-language': language, accept: 'application/json' },
      });
      const total_ms = Math.round(performance.now() - started);
      note?.({ name: upstream, attempts: 1, status: answer.status, total_ms });
      if (target === contract.listTags.path && answer.status === 200) {
        const { tag_list } = Object(jsonObject(answer.body).data);
        if (Array.isArray(tag_list)) onTags(tag_list.length > 0);
      }
      const contentType = headerOf(answer.headers, 'content-type') ?? 'application/octet-stream';
      const isCacheable = !FORBIDS_CACHING.test(headerOf(answer.headers, 'cache-control') ?? '');
      return cachedResponse(answer.status, contentType, answer.body, isCacheable);
    };
    return cache.get(`${language} ${target}`, seconds * 1000, { load });
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

type Target = Pick<PublicRead, 'seconds' | 'target'>;

/** Calls of the contract that anonymous clients share. The help center's pass by their prefix, uncached. */
const PUBLIC_ROUTES: ReadonlyMap<string, Route> = new Map(
  Object.values<Route>(contract)
    .filter(({ cache, path }) => cache !== undefined && !isHelpcenterPath(path))
    .map((route) => [route.path, route]),
);

/** Characters of addresses whose one spelling is remembered. */
const TARGET_BYTES = 1024 * 1024;

/** Tells what of the cache a request's address names; undefined for all that is not shared. */
export function createTargetReader(): (request: FastifyRequest) => Target | undefined {
  const targets = new LRUCache<string, Target>({ maxSize: TARGET_BYTES });
  return ({ method, raw: { url = '' } }) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const known = targets.get(url);
    if (known) return known;
    const path = url.includes('%') ? encodedPath(decodedSegments(url) ?? []) : pathOf(url);
    const route = PUBLIC_ROUTES.get(path);
    if (route?.cache === undefined) return undefined;
    const target = publicTarget(route, path, new URLSearchParams(queryOf(url)));
    const found = { seconds: route.cache, target };
    targets.set(url, found, { size: url.length + target.length });
    return found;
  };
}
