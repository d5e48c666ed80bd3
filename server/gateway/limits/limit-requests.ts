import rateLimitPlugin from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { appError } from '../../http/errors.ts';
import { type PublishTokenOf, publishTokenHash } from '../publish-token.ts';
import { noteSecurityEvent } from '../security-event.ts';
import type { ClientAddress } from './client-address.ts';
import { type Count, storeOf } from './counter.ts';
import { countKey, LIMITS, type LimitName, type Measure, type Policy, scaled } from './policies.ts';

type Check = (request: FastifyRequest) => Promise<void>;
type Parts = {
  count: Count;
  /** Multiplies every number of requests; 0 sets no limit at all. */
  factor: number;
  addressOf: ClientAddress;
  /** Id of the session that a request's cookies prove; a cookie that proves nothing is none. */
  holder: (request: FastifyRequest) => string | undefined;
  publishTokenOf: PublishTokenOf;
};

/**
 * Counts a request under a limit, by its address, where a hook cannot tell beforehand that it will cost something.
 * @throws AppError TOO_MANY_REQUESTS with Retry-After
 */
export type Consume = (request: FastifyRequest, limit: LimitName) => Promise<void>;

declare module 'fastify' {
  interface FastifyInstance {
    consume: Consume;
  }
}

/** Refuses what comes too often. */
export const rateLimit = fp(
  async (app: FastifyInstance) => {
    const { config } = app.gateway;
    const consume = await limitRequests(app, {
      count: app.calls.count,
      factor: config.rateLimitFactor,
      addressOf: app.addressOf,
      holder: ({ cookies }) => app.sessions.idOf(cookies),
      publishTokenOf: (request) => request.publishToken,
    });
    app.decorate('consume', consume);
  },
  { name: 'rate-limit', dependencies: ['session', 'publish-token', 'at-once'] },
);

/**
 * Refuses what comes too often: calls the contract names a limit for, and calls without a session. Neither a header of
 * the client nor a cookie that was not sealed here frees a request from being counted by its address. A publish token is
 * measured as a session is.
 * @throws AppError TOO_MANY_REQUESTS with Retry-After, from the hook
 */
export async function limitRequests(
  app: FastifyInstance,
  { count, factor, addressOf, holder, publishTokenOf }: Parts,
): Promise<Consume> {
  if (factor === 0) return async () => undefined;
  await app.register(rateLimitPlugin, { global: false, store: storeOf(count) });

  const address: KeyOf = ({ raw }) => addressOf(raw);

  function check(name: LimitName, by: Measure, policy: Policy, keyOf: KeyOf): Check {
    const { max, window } = scaled(policy, factor);
    const limiter = app.createRateLimit({
      max,
      timeWindow: window,
      keyGenerator: (request) => countKey(name, by, String(keyOf(request))),
    });
    return async (request) => {
      const found = await limiter(request);
      if (found.isAllowed || !found.isExceeded) return;
      noteSecurityEvent(request, 'rate_limited', { limit: name, by });
      throw appError('TOO_MANY_REQUESTS', {
        headers: { 'retry-after': String(Math.max(1, found.ttlInSeconds)) },
      });
    };
  }
  type KeyOf = (request: FastifyRequest) => string | undefined;
  const tokenHash: KeyOf = (request) => publishTokenHash(publishTokenOf(request) ?? '');

  const names = Object.keys(LIMITS).filter((name): name is LimitName => name in LIMITS);
  const checks = new Map(
    names.map((name) => {
      const policies = LIMITS[name];
      const { session } = policies;
      const byAddress = check(name, 'address', policies.address, address);
      const bySession = session && check(name, 'session', session, holder);
      const byToken = session && check(name, 'token', session, tokenHash);
      return [name, { byAddress, bySession, byToken }];
    }),
  );

  async function checkAll(
    request: FastifyRequest,
    limit: LimitName | undefined,
    isHeld: boolean,
  ): Promise<void> {
    if (!isHeld && isCall(request)) await checks.get('anonymous')?.byAddress(request);
    const named = limit && checks.get(limit);
    if (isHeld) await named?.bySession?.(request);
    else if (publishTokenOf(request) !== undefined) await named?.byToken?.(request);
    await named?.byAddress(request);
  }

  // Most calls have a session and no limit of their own: they pass without a promise being made.
  app.addHook('onRequest', (request, _reply, done) => {
    const limit = request.routeOptions.config.route?.rateLimit;
    if (limit === undefined && !isCall(request)) return done();
    const isHeld = holder(request) !== undefined;
    if (limit === undefined && isHeld) return done();
    checkAll(request, limit, isHeld).then(() => done(), done);
  });
  return async (request, name) => checks.get(name)?.byAddress(request);
}

/**
 * Whether a request is counted as a call: what the contract knows, or lies under /api/. Files cost little; pages and
 * sitemaps are counted when they have to be made.
 */
export function isCall({ routeOptions: { config, url = '' } }: FastifyRequest): boolean {
  return config.route !== undefined || url.startsWith('/api/');
}
