import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { createApp } from './app.ts';
import { appError } from './errors.ts';

/**
 * What operators ask, on a port of its own (design section 9): `/livez` while the program runs, `/readyz` while it takes
 * requests, `/metrics` for Prometheus.
 */
export function createOps({
  log,
  registry,
  ready,
}: {
  log: FastifyBaseLogger;
  registry: Pick<Registry, 'contentType' | 'metrics'>;
  /** False while starting and from the first signal to stop. */
  ready: () => boolean;
}): FastifyInstance {
  const app = createApp({ log });
  app.get('/livez', (_request, reply) => reply.type('text/plain').send('ok'));
  app.get('/readyz', (_request, reply) => {
    if (!ready()) throw appError('SERVICE_UNAVAILABLE');
    return reply.type('text/plain').send('ok');
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  return app;
}
