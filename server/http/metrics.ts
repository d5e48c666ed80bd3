import { Histogram, type Registry } from 'prom-client';

export type HttpMetrics = {
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
