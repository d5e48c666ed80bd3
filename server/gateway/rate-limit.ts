import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import { compile, all as senders } from '@fastify/proxy-addr';
import rateLimitPlugin, {
  type FastifyRateLimitOptions,
  type FastifyRateLimitStore,
  normalizeIP,
} from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LRUCache, type Perf } from 'lru-cache';
import type { RateLimit } from '../../shared/route.ts';
import { appError } from '../http/errors.ts';
import { noteSecurityEvent } from './log.ts';
import type { RedisLink } from './redis/link.ts';
import { COUNT, sharedName } from './redis/scripts.ts';
import { isCall, publishTokenHash } from './requests.ts';

/** So many requests of one kind in each window of so many milliseconds. */
type Policy = { max: number; window: number };

/** What is counted: by the address a request comes from, and by the session in its cookie. */
type Policies = { address: Policy; session?: Policy };

type LimitName = RateLimit | 'anonymous';

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

/** What some proxies write into X-Forwarded-For: an address with a port, an IPv6 address in brackets. */
const WITH_PORT = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<four>\d{1,3}(?:\.\d{1,3}){3}))(?::\d{1,5})?$/i;

/**
 * A client is counted by its IPv4 address, or by the /64 network of its IPv6 address, in which one machine may have as
 * many addresses as it likes. What a trusted proxy says and is no address counts as the proxy's own. `trustProxy`:
 * addresses or ranges of proxies in front.
 */
function createClientAddress(trustProxy: readonly string[]): (request: IncomingMessage) => string {
  if (trustProxy.length === 0) return ({ socket }) => counted(socket.remoteAddress);
  const trusted = compile([...trustProxy]);
  return (request) =>
    counted(plainAddress(senders(request, trusted).at(-1) ?? '') ?? request.socket.remoteAddress);
}

function counted(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  return isIPv4(address) ? address : normalizeIP(address, 64);
}

function plainAddress(text: string): string | undefined {
  const { six, four } = WITH_PORT.exec(text)?.groups ?? {};
  const address = six ?? four ?? text;
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}

/** How often something was counted in the window that runs, and the milliseconds left of it. */
type Counted = { current: number; ttl: number };
/** Counts something in a window of so many milliseconds. */
export type Count = (key: string, window: number) => Promise<Counted>;

/** Keys counted in one process; those that were not counted for longest are forgotten first. */
const KEYS = 100_000;

/** Counts in this process. `perf`: a monotonic clock. */
export function createLocalCount(perf: Perf = performance): Count {
  const counts = new LRUCache<string, number>({ maxSize: KEYS, ttlResolution: 0, perf, noUpdateTTL: true });
  return async (key, window) => {
    const current = (counts.get(key) ?? 0) + 1;
    counts.set(key, current, { size: 1, ttl: window });
    return { current, ttl: counts.getRemainingTTL(key) };
  };
}

/** Counts that all gateways share; each counts alone while Redis is unavailable. */
export function createSharedCount(link: RedisLink, local: Count): Count {
  return async (key, window) => {
    const reply = await link.ask(undefined, (redis) =>
      redis.eval(COUNT, 1, sharedName('count', key), window),
    );
    if (reply === undefined) return local(key, window);
    const [current = 0, ttl = window] = Object.values(Object(reply)).map(Number);
    return { current, ttl };
  };
}

/** A count in the form that @fastify/rate-limit makes its stores: it wants something to call `new` on. */
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
