import type { FastifyRequest } from 'fastify';
import type { RateLimit } from '../../../shared/route.ts';

/** So many requests of one kind in each window of so many milliseconds. */
export type Policy = { max: number; window: number };

/** What is counted: by the address a request comes from, and by the session its cookie proves. */
export type Policies = { address: Policy; session?: Policy };

export type LimitName = RateLimit | 'anonymous';

const MINUTE = 60_000;

/**
 * How often something may be done. An address may be that of a whole office or of a mobile network, so it may do more
 * than a session. `anonymous` counts every call without a session; with one there is no limit but the named ones.
 */
export const LIMITS: Readonly<Record<LimitName, Policies>> = {
  'sign-in': { address: { max: 600, window: 10 * MINUTE } },
  'code-exchange': { address: { max: 600, window: 10 * MINUTE } },
  report: { address: { max: 60, window: 60 * MINUTE }, session: { max: 20, window: 60 * MINUTE } },
  upload: { address: { max: 600, window: 10 * MINUTE }, session: { max: 120, window: 10 * MINUTE } },
  account: { address: { max: 600, window: 60 * MINUTE }, session: { max: 60, window: 60 * MINUTE } },
  export: { address: { max: 60, window: 60 * MINUTE }, session: { max: 10, window: 60 * MINUTE } },
  anonymous: { address: { max: 1200, window: MINUTE } },
};

/** The policy with its number of requests multiplied; at least one request always passes. */
export function scaled({ max, window }: Policy, factor: number): Policy {
  return { max: Math.max(1, Math.round(max * factor)), window };
}

/** By what clients are told apart. */
export type Measure = 'address' | 'session' | 'token';

/**
 * Whether a request is counted as a call: what the contract knows, or lies under /api/. Files cost little; pages and
 * sitemaps are counted when they have to be made.
 */
export function isCall({ routeOptions: { config, url = '' } }: FastifyRequest): boolean {
  return config.route !== undefined || url.startsWith('/api/');
}
