import { Counter, Registry } from 'prom-client';
import { createHttpMetrics, type HttpMetrics } from '../http/metrics.ts';
import type { RefreshOutcome } from './auth/refresh.ts';
import type { ProofFault } from './auth/same-site-proof.ts';

export type GatewayMetrics = {
  http: HttpMetrics;
  countRefresh(outcome: RefreshOutcome): void;
  countRefused(reason: ProofFault): void;
};

/** The gateway's figures. */
export function createGatewayMetrics(registry: Registry = new Registry()): GatewayMetrics {
  const refreshes = new Counter({
    name: 'bff_token_refresh_total',
    help: 'Refreshes of access tokens by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const refused = new Counter({
    name: 'bff_csrf_rejected_total',
    help: 'Requests that could not prove to come from this site',
    labelNames: ['reason'],
    registers: [registry],
  });
  return {
    http: createHttpMetrics(registry, 'bff'),
    countRefresh: (outcome) => refreshes.inc({ outcome }),
    countRefused: (reason) => refused.inc({ reason }),
  };
}
