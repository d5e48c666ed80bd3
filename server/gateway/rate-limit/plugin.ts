import rateLimitPlugin from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { appError } from '../../http/errors.ts';
import { noteSecurityEvent } from '../log/record.ts';
import { isCall, publishTokenHash } from '../requests.ts';
import { createClientAddress, LIMITS, type LimitName } from './policies.ts';
import { storeOf } from './store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Counts this request under a limit, by its address, where no hook can tell beforehand that it will cost something.
     * @throws AppError TOO_MANY_REQUESTS with Retry-After
     */
    consume(limit: LimitName): Promise<void>;
  }
}

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;
type KeyOf = (request: FastifyRequest) => string | undefined;

/**
 * Refuses what comes too often, with TOO_MANY_REQUESTS and Retry-After: calls whose route names a limit, and calls
 * without a session. Neither a header of the client nor a cookie that was not encrypted here frees a request from being
 * counted by its address. A publish token is measured as a session is.
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

    const addressOf = createClientAddress(config.trustProxy);
    const sessionOf: KeyOf = ({ cookies }) => app.sessions.idOf(cookies);
    const keys = {
      address: ({ raw }) => addressOf(raw),
      session: sessionOf,
      token: ({ publishToken }) => publishTokenHash(publishToken ?? ''),
    } satisfies Record<string, KeyOf>;
    type Measure = keyof typeof keys;

    const limiters = new Map<string, Limiter>();
    async function check(request: FastifyRequest, name: LimitName, by: Measure): Promise<void> {
      const policy = by === 'address' ? LIMITS[name].address : LIMITS[name].session;
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
      noteSecurityEvent(request, 'rate_limited', { limit: name, by });
      throw appError('TOO_MANY_REQUESTS', {
        headers: { 'retry-after': String(Math.max(1, found.ttlInSeconds)) },
      });
    }
    async function checkAll(request: FastifyRequest, limit: LimitName | undefined, hasSession: boolean) {
      if (!hasSession && isCall(request)) await check(request, 'anonymous', 'address');
      if (limit === undefined) return;
      if (hasSession) await check(request, limit, 'session');
      else if (request.publishToken !== undefined) await check(request, limit, 'token');
      await check(request, limit, 'address');
    }

    // Most calls have a session and no limit of their own: they pass without a promise being made.
    app.addHook('onRequest', (request, _reply, done) => {
      const limit = request.routeOptions.config.route?.rateLimit;
      if (limit === undefined && !isCall(request)) return done();
      const hasSession = sessionOf(request) !== undefined;
      if (limit === undefined && hasSession) return done();
      checkAll(request, limit, hasSession).then(() => done(), done);
    });
    app.decorateRequest('consume', async function consume(this: FastifyRequest, limit: LimitName) {
      await check(this, limit, 'address');
    });
  },
  { name: 'rate-limit', dependencies: ['gateway', 'requests', 'session', 'shared'] },
);
