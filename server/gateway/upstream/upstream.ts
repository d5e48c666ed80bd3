import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Dispatcher } from 'undici';
import { COMMUNITY_TIMEOUT, CONNECT_TIMEOUT, USER_SERVICE_TIMEOUT } from '../../../shared/constants.ts';
import { openPools } from '../../http/outgoing.ts';
import { traceparentOf, type UpstreamName } from '../log/record.ts';

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
