import rateLimitPlugin from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { appError } from '../../http/errors.ts';
import { noteSecurityEvent } from '../log/record.ts';
import { isCall, publishTokenHash } from '../requests.ts';
import { createClientAddress, LIMITS, type LimitName, type Measure, scaled } from './policies.ts';
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

type Check = (request: FastifyRequest) => Promise<void>;
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

    function check(name: LimitName, by: Measure, keyOf: KeyOf): Check | undefined {
      const policy = by === 'address' ? LIMITS[name].address : LIMITS[name].session;
      if (!policy) return undefined;
      const { max, window } = scaled(policy, factor);
      const limiter = app.createRateLimit({
        max,
        timeWindow: window,
        keyGenerator: (request) => `${name} ${by} ${keyOf(request)}`,
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
    const addressOf = createClientAddress(config.trustProxy);
    const sessionOf: KeyOf = ({ cookies }) => app.sessions.idOf(cookies);
    const names = Object.keys(LIMITS).filter((name): name is LimitName => name in LIMITS);
    const checks = new Map(
      names.map((name) => [
        name,
        {
          address: check(name, 'address', ({ raw }) => addressOf(raw)),
          session: check(name, 'session', sessionOf),
          token: check(name, 'token', ({ publishToken }) => publishTokenHash(publishToken ?? '')),
        },
      ]),
    );

    async function checkAll(request: FastifyRequest, limit: LimitName | undefined, hasSession: boolean) {
      if (!hasSession && isCall(request)) await checks.get('anonymous')?.address?.(request);
      const named = limit && checks.get(limit);
      if (hasSession) await named?.session?.(request);
      else if (request.publishToken !== undefined) await named?.token?.(request);
      await named?.address?.(request);
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
      await checks.get(limit)?.address?.(this);
    });
  },
  { name: 'rate-limit', dependencies: ['gateway', 'requests', 'session', 'shared'] },
);
