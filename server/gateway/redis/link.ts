import type { FastifyBaseLogger } from 'fastify';
import { Redis } from 'ioredis';

/** Times in milliseconds: for a connection, for one command, and between two looks whether Redis is back. */
const CONNECT_TIMEOUT = 2000;
const COMMAND_TIMEOUT = 500;
const LOOK_EVERY = 1000;
const LONGEST_PAUSE = 2000;

const PROBE_KEY = 'plugin-square:probe';

export type RedisLink = {
  /** What `work` brings; what `otherwise` brings while Redis cannot be asked. */
  ask<T>(work: (redis: Redis) => Promise<T>, otherwise: () => T | Promise<T>): Promise<T>;
  /** Calls `listener` each time Redis is there again. */
  onUp(listener: () => void): void;
  close(): void;
};

/**
 * A connection to Redis that nobody has to wait for. The first thing that goes wrong is told once; from then on nothing is
 * sent but a write every second that finds out whether Redis takes writes again (one that is full, or only a replica,
 * answers every PING).
 */
export async function openRedis({
  url,
  log,
  onChange,
}: {
  /** `redis:` or `rediss:` address, or the path of a socket. */
  url: string;
  log: FastifyBaseLogger;
  /** Told whether Redis can be asked, at the start and at every change. */
  onChange: (isUp: boolean) => void;
}): Promise<RedisLink> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT,
    commandTimeout: COMMAND_TIMEOUT,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(50 * 2 ** times, LONGEST_PAUSE),
  });
  const listeners: (() => void)[] = [];
  let isUp: boolean | undefined;
  let isClosed = false;

  function setUp(value: boolean, reason?: string): void {
    if (isUp === value || isClosed) return;
    const isFirst = isUp === undefined;
    isUp = value;
    onChange(value);
    if (!value)
      log.warn({ reason }, 'Redis cannot be asked: what gateways share holds inside this one alone');
    else if (!isFirst) log.info('Redis can be asked again');
    if (value) for (const listener of listeners) listener();
  }
  const goDown = (error: unknown): void =>
    setUp(false, error instanceof Error ? error.message : String(error));
  const look = async (): Promise<void> => {
    try {
      await redis.set(PROBE_KEY, '1', 'PX', LOOK_EVERY);
      setUp(true);
    } catch (error) {
      goDown(error);
    }
  };

  redis.on('error', goDown);
  redis.on('close', () => goDown(new Error('connection closed')));
  redis.on('ready', look);
  const timer = setInterval(() => {
    if (isUp !== true && redis.status === 'ready') void look();
  }, LOOK_EVERY).unref();
  await redis.connect().then(look, goDown);

  return {
    async ask(work, otherwise) {
      if (isUp !== true) return otherwise();
      try {
        return await work(redis);
      } catch (error) {
        goDown(error);
        return otherwise();
      }
    },
    onUp: (listener) => void listeners.push(listener),
    close() {
      isClosed = true;
      clearInterval(timer);
      redis.disconnect();
    },
  };
}
