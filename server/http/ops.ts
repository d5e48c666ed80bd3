import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';
import { createApp } from './app.ts';
import { appError } from './errors.ts';

/**
 * What operators ask, on a port of its own (design section 9): `/livez` while the program runs, `/readyz` while it takes
 * requests, `/metrics` for Prometheus. What is missing for the product to be of use stands below the `ok` of `/readyz`,
 * and changes nothing else.
 */
export function createOps({
  log,
  registry,
  ready,
  degraded = () => [],
}: {
  log: FastifyBaseLogger;
  registry: Pick<Registry, 'contentType' | 'metrics'>;
  /** False while starting and from the first signal to stop. */
  ready: () => boolean;
  /** What is missing, in words for operators. */
  degraded?: () => readonly string[];
}): FastifyInstance {
  const app = createApp({ log });
  app.get('/livez', (_request, reply) => reply.type('text/plain').send('ok'));
  app.get('/readyz', (_request, reply) => {
    if (!ready()) throw appError('SERVICE_UNAVAILABLE');
    const lines = ['ok', ...degraded().map((what) => `degraded: ${what}`)];
    return reply.type('text/plain').send(lines.join('\n'));
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  return app;
}

type HttpMetrics = {
  observe(labels: { route: string; method: string; status: number }, seconds: number): void;
};

/** Figures of an HTTP app: one histogram by route template, method and status, its name set apart by `prefix`. */
export function createHttpMetrics(registry: Registry, prefix: string): HttpMetrics {
  const duration = new Histogram({
    name: `${prefix}_http_request_duration_seconds`,
    help: 'Time from the first byte of a request to the end of its answer',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 60],
    registers: [registry],
  });
  return {
    observe: (labels, seconds) => duration.observe(labels, seconds),
  };
}
