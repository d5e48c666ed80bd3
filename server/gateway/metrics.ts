import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createHttpMetrics, type HttpMetrics } from '../http/metrics.ts';
import type { CacheName } from './cache/plugin.ts';
import type { CacheOutcome } from './cache/response-cache.ts';
import type { CsrfViolation } from './csrf.ts';
import type { RefreshOutcome } from './session/refresh.ts';
import type { SessionEvent } from './session/sessions.ts';
import type { WatchUpstream } from './upstream/upstream.ts';

export type GatewayMetrics = {
  http: HttpMetrics;
  countRefresh(outcome: RefreshOutcome): void;
  countRefused(reason: CsrfViolation): void;
  countSession(event: SessionEvent): void;
  /** Bytes of a session's cookies, names and values of all parts together. */
  observeCookie(bytes: number): void;
  countAbort(): void;
  countCache(cache: CacheName, outcome: CacheOutcome): void;
  watchUpstream: WatchUpstream;
  setRedis(isUp: boolean): void;
};

declare module 'fastify' {
  interface FastifyInstance {
    metrics: GatewayMetrics;
  }
}

export const metrics = fp(
  async (app: FastifyInstance) => {
    app.decorate('metrics', createGatewayMetrics(app.gateway.registry));
  },
  { name: 'metrics', dependencies: ['gateway'] },
);

/** The gateway's figures. Values of labels come from fixed lists and route templates, never from a request. */
export function createGatewayMetrics(registry: Registry = new Registry()): GatewayMetrics {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]): Counter<L> =>
    new Counter({ name, help, labelNames, registers });

  const refreshes = counter('bff_token_refresh_total', 'Refreshes of access tokens by outcome', 'outcome');
  const refused = counter(
    'bff_csrf_rejected_total',
    'Requests that could not prove to come from this site',
    'reason',
  );
  const sessions = counter('bff_session_total', 'What has happened to sessions', 'event');
  const aborts = counter('bff_client_abort_total', 'Requests whose client left before the answer was there');
  const takes = counter(
    'bff_cache_total',
    'Anonymous answers and pages by where they came from',
    'cache',
    'outcome',
  );
  const cookieBytes = new Histogram({
    name: 'bff_cookie_bytes',
    help: 'Size of the cookies that hold a session',
    buckets: [1024, 2048, 3072, 4096, 6144, 8192],
    registers,
  });
  return {
    http: createHttpMetrics(registry, 'bff'),
    countRefresh: (outcome) => refreshes.inc({ outcome }),
    countRefused: (reason) => refused.inc({ reason }),
    countSession: (event) => sessions.inc({ event }),
    observeCookie: (bytes) => cookieBytes.observe(bytes),
    countAbort: () => aborts.inc(),
    countCache: (cache, outcome) => takes.inc({ cache, outcome }),
    watchUpstream: upstreamWatch(registers),
    setRedis: redisGauge(registers),
  };
}

/** Time until a service has answered whole, by its status; `none` where no answer came. */
function upstreamWatch(registers: Registry[]): WatchUpstream {
  const inflight = new Gauge({
    name: 'bff_upstream_inflight',
    help: 'Calls to services under way',
    registers,
  });
  const duration = new Histogram({
    name: 'bff_upstream_duration_seconds',
    help: 'Time from a call to a service to the end of its answer',
    labelNames: ['upstream', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 60],
    registers,
  });
  return (upstream) => {
    const started = performance.now();
    inflight.inc();
    let isDone = false;
    return (status) => {
      if (isDone) return;
      isDone = true;
      inflight.dec();
      duration.observe({ upstream, status: status ?? 'none' }, (performance.now() - started) / 1000);
    };
  };
}

/** Only there when gateways share a Redis. */
function redisGauge(registers: Registry[]): (isUp: boolean) => void {
  let gauge: Gauge | undefined;
  return (isUp) => {
    gauge ??= new Gauge({ name: 'bff_redis_up', help: 'Whether Redis can be asked', registers });
    gauge.set(isUp ? 1 : 0);
  };
}
