import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { repeatWhileListening } from './repeat.ts';

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
  { registry, log }: { registry: Registry; log: FastifyBaseLogger },
  queues: readonly Queue[],
): void {
  for (const { name, help, count } of queues) {
    const gauge = new Gauge({ name, help, registers: [registry] });
    repeatWhileListening(app, {
      every: EVERY,
      log,
      failed: `${name} could not be counted`,
      recovered: `${name} is counted again`,
      async run() {
        try {
          gauge.set(await count());
        } catch (error) {
          gauge.set(Number.NaN);
          throw error;
        }
      },
    });
  }
}
