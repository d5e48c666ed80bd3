import type { FastifyRequest } from 'fastify';
import { type Dispatcher, Pool } from 'undici';
import { COMMUNITY_TIMEOUT, CONNECT_TIMEOUT, USER_SERVICE_TIMEOUT } from '../../../shared/constants.ts';

/** A service behind the gateway. Its address is fixed here, once; nothing of a request can change it. */
export type Upstream = {
  name: 'community' | 'helpcenter' | 'identity';
  origin: string;
  /** Path of the base address without a trailing slash; prefixed to every path. */
  basePath: string;
  /** Milliseconds for the head of an answer and between its parts. */
  timeout: number;
  dispatcher: Dispatcher;
};

export type Upstreams = { community: Upstream; helpcenter: Upstream; identity: Upstream };

/**
 * One connection pool for each origin. Calls go to undici's dispatcher itself: it gives back-pressure, aborts and
 * errors of both sides at the moment they happen, follows no redirect, retries nothing and verifies TLS.
 * `ca`: PEM of a private authority, trusted beside the public ones.
 */
export function openUpstreams(
  addresses: Record<keyof Upstreams, string>,
  ca: string | undefined,
  authorities: readonly string[],
): { upstreams: Upstreams; close: () => Promise<void> } {
  const pools = new Map<string, Pool>();
  const poolFor = (origin: string): Pool => {
    const known = pools.get(origin);
    if (known) return known;
    const connect = { timeout: CONNECT_TIMEOUT, rejectUnauthorized: true };
    const pool = new Pool(origin, {
      connect: ca === undefined ? connect : { ...connect, ca: [...authorities, ca] },
      allowH2: false,
      pipelining: 1,
    });
    pools.set(origin, pool);
    return pool;
  };
  const upstream = (name: Upstream['name'], timeout: number): Upstream => {
    const { origin, pathname } = new URL(addresses[name]);
    return { name, origin, basePath: pathname.replace(/\/+$/, ''), timeout, dispatcher: poolFor(origin) };
  };
  return {
    upstreams: {
      community: upstream('community', COMMUNITY_TIMEOUT),
      helpcenter: upstream('helpcenter', COMMUNITY_TIMEOUT),
      identity: upstream('identity', USER_SERVICE_TIMEOUT),
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

/** Headers that tell an upstream which request of ours this is (W3C Trace Context). */
export function traceHeaders(request: FastifyRequest): Record<string, string> {
  const sent = request.headers.traceparent;
  const isValid = typeof sent === 'string' && /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(sent);
  const trace = request.id.replaceAll('-', '').padEnd(32, '0');
  return {
    'x-request-id': request.id,
    traceparent: isValid ? sent : `00-${trace}-${trace.slice(16)}-01`,
  };
}
