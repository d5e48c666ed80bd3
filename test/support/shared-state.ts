import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { redisUrl as redisAddress } from '../../server/address-parsers.ts';
import type { RedisState } from '../../server/gateway/redis/link.ts';
import { openShared } from '../../server/gateway/redis/plugin.ts';
import type { Session } from '../../server/gateway/session/session.ts';
import { GATEWAY_TIMEOUTS, type RedisTimeouts } from '../../server/gateway/timeouts.ts';
import { createLog } from '../../server/http/log.ts';
import { startRedis } from './redis.ts';
import { USER } from './user-service.ts';

type Test = { teardown(work: () => unknown): void };

const KEYS = [randomBytes(32)];
export const HOUR = 3_600_000;

type Times = { lease?: number; redis?: Partial<RedisTimeouts> };

/** Shared state of a gateway, like in a separate process. `states`: changes of its availability; `told`: all changes. */
export async function openOne(
  t: Test,
  redisUrl: string,
  { keys = KEYS, redis, ...times }: Times & { keys?: Buffer[] } = {},
) {
  let text = '';
  const states: boolean[] = [];
  const destination = {
    write: (line: string) => {
      text += line;
    },
  };
  const log = createLog({ level: 'info', version: 'test', destination });
  const told: RedisState[] = [];
  const onRedis = (state: RedisState): void => {
    told.push(state);
    if (states.at(-1) !== state.isUp) states.push(state.isUp);
  };
  const config = { redis: redisAddress(redisUrl), upstreams: { ca: undefined, identity: undefined } };
  const timeouts = { redis: { ...GATEWAY_TIMEOUTS.redis, ...redis } };
  const shared = await openShared({ config, keys, log, now: Date.now, timeouts }, onRedis, times);
  t.teardown(shared.close);
  return { ...shared, states, told, log: () => text };
}

/** Two gateways with one Redis. */
export async function openTwo(t: Test, program: string, options: Times = {}) {
  const redis = await startRedis(t, program);
  const one = await openOne(t, redis.url, options);
  return { redis, one, two: await openOne(t, redis.url, options) };
}

/** A session whose access token has just expired. */
export function newSession(fields: Partial<Session> = {}): Session {
  return {
    id: randomBytes(16).toString('base64url'),
    generation: 0,
    access_token: 'CANARY-access-0',
    refresh_token: 'CANARY-refresh-0',
    access_expires: Date.now(),
    refresh_expires: Date.now() + HOUR,
    started: Date.now(),
    seen: Date.now(),
    validated: Date.now(),
    sub: null,
    sid: null,
    login_method: null,
    user: USER,
    ...fields,
  };
}

/** A slow refresh that counts its calls. */
export function slowRefresh(milliseconds = 100) {
  const calls: string[] = [];
  const begun = Promise.withResolvers<void>();
  const work = async (session: Session): Promise<Session> => {
    calls.push(session.id);
    begun.resolve();
    await delay(milliseconds);
    const number = calls.length;
    return {
      ...session,
      generation: session.generation + 1,
      access_token: `CANARY-access-${number}`,
      refresh_token: `CANARY-refresh-${number}`,
    };
  };
  return { calls, work, begun: begun.promise };
}
