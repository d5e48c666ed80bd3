import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/** Node's gauges whose names end like a counter's; the gauges without that ending are the same by kind. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Adds Node's own metrics, and a gauge that says which version and role this is. */
export function collectProcessMetrics(
  registry: Registry,
  { version, role }: { version: string; role: string },
): void {
  const labelNames = ['version', 'role'];
  const help = 'Version and role of the program';
  new Gauge({ name: 'plugin_square_info', help, labelNames, registers: [registry] }).set(
    { version, role },
    1,
  );
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}

/** A queue: its gauge, and how to count it. */
type Queue = { name: string; help: string; count: () => Promise<number> };

/** Milliseconds between two counts. */
const EVERY = 10_000;

/**
 * Counts queues while the app listens, not when they are scraped, so that a scrape never waits for the database. A queue
 * that cannot be counted has no value until it can be again.
 */
export function measureQueues(
  app: FastifyInstance,
  { registry, log, every = EVERY }: { registry: Registry; log: FastifyBaseLogger; every?: number },
  queues: readonly Queue[],
): void {
  const gauges = queues.map(({ name, help, count }) => ({
    gauge: new Gauge({ name, help, registers: [registry] }),
    count,
  }));
  let running: Promise<unknown> | undefined;
  const measure = () => {
    running ??= Promise.all(
      gauges.map(async ({ gauge, count }) => {
        try {
          gauge.set(await count());
        } catch (error) {
          gauge.set(Number.NaN);
          log.debug({ err: error }, 'a queue could not be counted');
        }
      }),
    ).finally(() => {
      running = undefined;
    });
    return running;
  };
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    timer = setInterval(measure, every).unref();
    void measure();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await running;
  });
}
