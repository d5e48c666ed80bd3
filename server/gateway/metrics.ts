import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CacheName } from './cache/plugin.ts';
import type { CacheOutcome } from './cache/response-cache.ts';
import type { CsrfViolation, UpstreamName } from './log.ts';
import type { RefreshOutcome } from './session/refresh.ts';
import type { SessionEvent } from './session/sessions.ts';

declare module 'fastify' {
  interface FastifyInstance {
    metrics: ReturnType<typeof createGatewayMetrics>;
  }
}

export const metrics = fp(
  async (app: FastifyInstance) => {
    app.decorate('metrics', createGatewayMetrics(app.gateway.registry));
  },
  { name: 'metrics', dependencies: ['gateway'] },
);

/** The gateway's metrics. Label values come from fixed lists and route templates, never from a request. */
export function createGatewayMetrics(registry: Registry = new Registry()) {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]): Counter<L> =>
    new Counter({ name, help, labelNames, registers });
  const duration = <L extends string>(name: string, help: string, ...labelNames: L[]): Histogram<L> =>
    new Histogram({ name, help, labelNames, buckets: [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 60], registers });

  const refreshes = counter('bff_token_refresh_total', 'Refreshes of access tokens by outcome', 'outcome');
  const refused = counter('bff_csrf_rejected_total', 'Requests refused by CSRF protection', 'reason');
  const sessions = counter('bff_session_total', 'Session events', 'event');
  const aborts = counter(
    'bff_client_abort_total',
    'Requests whose client disconnected before the response was complete',
  );
  const caches = counter('bff_cache_total', 'Anonymous responses and pages by source', 'cache', 'outcome');
  const cookieBytes = new Histogram({
    name: 'bff_cookie_bytes',
    help: 'Size of the session cookies',
    buckets: [1024, 2048, 3072, 4096, 6144, 8192],
    registers,
  });
  const inflight = new Gauge({
    name: 'bff_upstream_inflight',
    help: 'Calls to services in progress',
    registers,
  });
  const http = duration(
    'bff_http_request_duration_seconds',
    'Time from the first byte of a request to the end of its response',
    'route',
    'method',
    'status',
  );
  const upstreams = duration(
    'bff_upstream_duration_seconds',
    'Time from a call to a service to the end of its response',
    'upstream',
    'status',
  );
  let redisUp: Gauge | undefined;
  return {
    http,
    countRefresh: (outcome: RefreshOutcome) => refreshes.inc({ outcome }),
    countRefused: (reason: CsrfViolation) => refused.inc({ reason }),
    countSession: (event: SessionEvent) => sessions.inc({ event }),
    /** Bytes of a session's cookies, names and values of all chunks together. */
    observeCookie: (bytes: number) => cookieBytes.observe(bytes),
    countAbort: () => aborts.inc(),
    countCache: (cache: CacheName, outcome: CacheOutcome) => caches.inc({ cache, outcome }),
    /** Starts measuring a call. Call the returned function at its end, with the status of a complete response. */
    watchUpstream(upstream: UpstreamName): (status?: number) => void {
      const started = performance.now();
      inflight.inc();
      let isDone = false;
      return (status) => {
        if (isDone) return;
        isDone = true;
        inflight.dec();
        upstreams.observe({ upstream, status: status ?? 'none' }, (performance.now() - started) / 1000);
      };
    },
    /** The gauge exists only if Redis is configured. */
    setRedis(isUp: boolean): void {
      redisUp ??= new Gauge({ name: 'bff_redis_up', help: 'Whether Redis is available', registers });
      redisUp.set(isUp ? 1 : 0);
    },
  };
}
