import rateLimitPlugin, {
  type FastifyRateLimitOptions,
  type FastifyRateLimitStore,
} from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { RateLimit } from '../../shared/route.ts';
import { networkOf } from '../http/client-address.ts';
import { retryLater } from '../http/errors.ts';
import type { Count, WindowLimit } from '../http/rate-limit.ts';
import { logSecurityEvent } from './log.ts';
import { bearerTokenHash, isCall } from './requests.ts';

/** Requests are counted by client address and by session. */
type Policies = { address?: WindowLimit; session?: WindowLimit };

type LimitName = RateLimit | 'tool' | 'anonymous' | 'call' | 'page';

const MINUTE = 60_000;

/**
 * Higher for addresses, which an office may share. `anonymous`: every call without a session, and every page that is
 * rendered for one; `call` and `page`: the same with a session (R 9.29), which has no other limit on reads.
 */
export const LIMITS = {
  'sign-in': { address: { max: 600, window: 10 * MINUTE } },
  'code-exchange': { address: { max: 600, window: 10 * MINUTE } },
  tool: { address: { max: 1200, window: 10 * MINUTE } },
  report: { address: { max: 60, window: 60 * MINUTE }, session: { max: 20, window: 60 * MINUTE } },
  upload: { address: { max: 600, window: 10 * MINUTE }, session: { max: 120, window: 10 * MINUTE } },
  account: { address: { max: 600, window: 60 * MINUTE }, session: { max: 60, window: 60 * MINUTE } },
  export: { address: { max: 60, window: 60 * MINUTE }, session: { max: 10, window: 60 * MINUTE } },
  anonymous: { address: { max: 1200, window: MINUTE } },
  call: { session: { max: 1200, window: MINUTE } },
  page: { session: { max: 400, window: MINUTE } },
} as const satisfies Readonly<Record<LimitName, Policies>>;

/** A store class for @fastify/rate-limit, which instantiates it. */
function storeOf(count: Count): new (options: FastifyRateLimitOptions) => FastifyRateLimitStore {
  return class CountStore implements FastifyRateLimitStore {
    incr(...[key, done, window]: Parameters<FastifyRateLimitStore['incr']>): void {
      count(key, window).then((counted) => done(null, counted), done);
    }
    child(): FastifyRateLimitStore {
      return this;
    }
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Counts a request that turns out to be expensive, by session if the limit is one of sessions.
     * @throws AppError TOO_MANY_REQUESTS with Retry-After
     */
    consume(limit: LimitName): Promise<void>;
  }
}

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;
type KeyOf = (request: FastifyRequest) => string | undefined;

/**
 * Limits calls whose route has a rate limit and calls without a session; above it TOO_MANY_REQUESTS with Retry-After.
 * No client header and no invalid cookie exempts a request from being counted by its address. A bearer token counts as
 * a session.
 */
export const rateLimit = fp(
  async (app: FastifyInstance) => {
    const { config } = app.gateway;
    const { rateLimitFactor: factor } = config;
    if (factor === 0) {
      app.decorateRequest('consume', async () => undefined);
      return;
    }
    await app.register(rateLimitPlugin, { global: false, store: storeOf(app.shared.count) });

    const sessionOf: KeyOf = ({ sessionState: state }) => (state ? app.sessions.liveId(state) : undefined);
    const keys = {
      address: ({ clientAddress }) => networkOf(clientAddress),
      session: sessionOf,
      token: ({ bearerToken }) => bearerTokenHash(bearerToken ?? ''),
    } satisfies Record<string, KeyOf>;
    type Measure = keyof typeof keys;

    const limiters = new Map<string, Limiter>();
    async function check(request: FastifyRequest, name: LimitName, by: Measure): Promise<void> {
      const policies: Policies = LIMITS[name];
      const policy = by === 'address' ? policies.address : policies.session;
      if (!policy) return;
      const limiter =
        limiters.get(`${name} ${by}`) ??
        app.createRateLimit({
          max: Math.max(1, Math.round(policy.max * factor)),
          timeWindow: policy.window,
          keyGenerator: (counted) => `${name} ${by} ${keys[by](counted)}`,
        });
      limiters.set(`${name} ${by}`, limiter);
      const found = await limiter(request);
      if (found.isAllowed || !found.isExceeded) return;
      logSecurityEvent(request, 'rate_limited', { limit: name, by });
      throw retryLater('TOO_MANY_REQUESTS', found.ttl);
    }
    async function checkAll(request: FastifyRequest, limit: LimitName | undefined, hasSession: boolean) {
      if (isCall(request)) {
        if (hasSession) await check(request, 'call', 'session');
        else await check(request, 'anonymous', 'address');
      }
      if (limit === undefined) return;
      if (hasSession) await check(request, limit, 'session');
      else if (request.bearerToken !== undefined) await check(request, limit, 'token');
      await check(request, limit, 'address');
    }

    app.addHook('onRequest', (request, _reply, done) => {
      const limit = request.contractRoute?.rateLimit;
      if (limit === undefined && !isCall(request)) return done();
      const hasSession = sessionOf(request) !== undefined;
      checkAll(request, limit, hasSession).then(() => done(), done);
    });
    app.decorateRequest('consume', async function consume(this: FastifyRequest, limit: LimitName) {
      if (sessionOf(this) !== undefined) await check(this, limit, 'session');
      await check(this, limit, 'address');
    });
  },
  { name: 'rate-limit', dependencies: ['gateway', 'requests', 'session', 'shared'] },
);
