import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { createApp } from './app.ts';
import { appError } from './errors.ts';

/**
 * The ops port (R 17.9): `/livez` with the version while the program runs, `/readyz` while it accepts requests, `/metrics` for
 * Prometheus. `/readyz` also lists degraded features, which do not change its status.
 */
export function createOps({
  log,
  registry,
  version,
  ready,
  degraded = () => [],
}: {
  log: FastifyBaseLogger;
  registry: Pick<Registry, 'contentType' | 'metrics'>;
  /** Of the running program. */
  version: string;
  /** False while starting and from the first signal to stop. */
  ready: () => boolean;
  /** Descriptions of degraded features. */
  degraded?: () => readonly string[];
}): FastifyInstance {
  const app = createApp({ log });
  app.get('/livez', (_request, reply) => reply.type('text/plain').send(`ok\nversion: ${version}`));
  app.get('/readyz', (_request, reply) => {
    if (!ready()) throw appError('SERVICE_UNAVAILABLE');
    const lines = ['ok', ...degraded().map((feature) => `degraded: ${feature}`)];
    return reply.type('text/plain').send(lines.join('\n'));
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  return app;
}
