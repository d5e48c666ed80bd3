import { Counter, type Registry } from 'prom-client';
import type { OnStoreError } from './client.ts';

/** Counts failed requests to the object store. */
export function createStoreMetrics(registry: Registry): OnStoreError {
  const errors = new Counter({
    name: 'community_s3_errors_total',
    help: 'Requests to the object store that failed after their retries',
    labelNames: ['operation', 'code'],
    registers: [registry],
  });
  return (failed) => errors.inc(failed);
}
