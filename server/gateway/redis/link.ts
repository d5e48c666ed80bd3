import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { Redis } from 'ioredis';
import { appError } from '../../http/errors.ts';
import { trustIn } from '../../http/outgoing.ts';

/** Times in milliseconds: for a connection and its first answer, for what can do without Redis, between two heartbeats. */
const CONNECT_TIMEOUT = 2000;
const COMMAND_TIMEOUT = 500;
const HEARTBEAT = 1000;
/** Longest pause between two tries to connect, and between two tries of what cannot do without Redis. */
const RECONNECT_PAUSE = 500;
const RETRY_PAUSE = 50;
/** How long a request waits for a Redis that does not answer. While it has been silent for longer nobody waits. */
const WAIT = 5000;
/** A connection that has been silent for so long is given up: the other end may be gone without a word. */
const DEAD_AFTER = 15_000;
/** What a client is told to wait, in seconds. */
const RETRY_AFTER = '2';

type UpListener = (change: { wasLost: boolean }) => void;

const PROBE_KEY = 'plugin-square:probe';

export type RedisLink = Awaited<ReturnType<typeof openRedis>>;

/** Redis is unavailable for something that must not be decided without it. */
export function redisUnavailable(cause: unknown) {
  return appError('SERVICE_UNAVAILABLE', { headers: { 'retry-after': RETRY_AFTER }, cause });
}

/**
 * A connection to Redis. What can do without does not wait for it: the first failure is logged once, and until a
 * heartbeat (a write: a Redis that is full, or only a replica, answers every PING) is answered in time nothing else of
 * that kind is sent.
 */
export async function openRedis({
  url,
  ca,
  log,
  onChange,
  longSilence,
  commandTimeout = COMMAND_TIMEOUT,
}: {
  /** `redis:` or `rediss:` address, or the path of a socket. */
  url: string;
  /** PEM of a private authority, for `rediss:`. */
  ca?: string | undefined;
  log: FastifyBaseLogger;
  /** Told whether Redis can be asked, at the start and at every change. */
  onChange: (isUp: boolean) => void;
  /** Milliseconds of silence after which what Redis held may have expired. */
  longSilence: number;
  /** Milliseconds for what can do without Redis. */
  commandTimeout?: number | undefined;
}) {
  const redis = new Redis(url, {
    ...(url.startsWith('rediss:') && { tls: trustIn(ca) }),
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(50 * 2 ** times, RECONNECT_PAUSE),
  });
  const listeners: UpListener[] = [];
  const closed = new AbortController();
  let isUp: boolean | undefined;
  let isProbing = false;
  /** The connection has ended since the last reply; and listeners are yet to be told. */
  let isLost = false;
  let isLossPending = false;
  let backAt = Number.NEGATIVE_INFINITY;
  /** Silence counts from the start. */
  let lastReplyAt = performance.now();

  function setUp(value: boolean, reason?: string): void {
    if (closed.signal.aborted || (isUp === value && !(value && isLossPending))) return;
    const isChange = isUp !== value;
    const isFirst = isUp === undefined;
    isUp = value;
    if (isChange) onChange(value);
    if (!value) log.warn({ reason }, 'Redis unavailable, falling back to in-process state');
    else if (isChange && !isFirst) log.info('Redis available again');
    if (!value) return;
    const wasLost = isLossPending;
    isLossPending = false;
    for (const listener of listeners) listener({ wasLost });
  }
  const goDown = (error: unknown): void =>
    setUp(false, error instanceof Error ? error.message : String(error));

  function replied<T>(answer: T): T {
    const now = performance.now();
    if (isLost || now - lastReplyAt > longSilence) {
      isLossPending = true;
      backAt = now;
    }
    isLost = false;
    lastReplyAt = now;
    return answer;
  }
  /** Resolves when the answer is there or late. Only one is under way, however late its answer comes. */
  async function probe(timeout = commandTimeout): Promise<void> {
    isProbing = true;
    const answered = redis.set(PROBE_KEY, '1', 'PX', HEARTBEAT).then(replied);
    const settled = answered.then(
      () => true,
      () => false,
    );
    void settled.then((hasAnswered) => {
      isProbing = false;
      if (hasAnswered && isUp === false) setTimeout(beat, RETRY_PAUSE).unref();
    });
    await inTime(answered, timeout).then(() => setUp(true), goDown);
  }
  function beat(): void {
    if (redis.status !== 'ready' || closed.signal.aborted) return;
    if (!isProbing) void probe();
    else if (performance.now() - lastReplyAt > DEAD_AFTER) redis.disconnect(true);
  }

  redis.on('error', goDown);
  redis.on('close', () => {
    isLost = true;
    goDown(new Error('connection closed'));
  });
  await redis.connect().then(() => probe(CONNECT_TIMEOUT), goDown);
  redis.on('ready', beat);
  const timer = setInterval(beat, HEARTBEAT).unref();

  return {
    /** What `work` brings; `otherwise` while Redis is unavailable. */
    async ask<T, Otherwise>(
      otherwise: Otherwise,
      work: (redis: Redis) => Promise<T>,
    ): Promise<T | Otherwise> {
      if (isUp !== true) return otherwise;
      try {
        return await inTime(work(redis).then(replied), commandTimeout);
      } catch (error) {
        goDown(error);
        return otherwise;
      }
    },
    /**
     * What `work` brings, for what must not be decided without Redis. It is tried again until an answer comes, so it must
     * be repeatable; `forever` waits for as long as the link is open, anything else for some seconds. An answer that comes
     * after that goes to `late`.
     * @throws AppError SERVICE_UNAVAILABLE with Retry-After
     */
    async demand<T>(
      work: (redis: Redis) => Promise<T>,
      { forever = false, late }: { forever?: boolean; late?: (answer: T) => void } = {},
    ): Promise<T> {
      const until = forever ? Number.POSITIVE_INFINITY : lastReplyAt + WAIT;
      for (;;) {
        const left = Math.max(until - performance.now(), RETRY_PAUSE);
        const answer = redis.status === 'ready' ? work(redis).then(replied) : notConnected();
        try {
          return await inTime(answer, left);
        } catch (error) {
          if (performance.now() >= until || closed.signal.aborted) {
            if (late) answer.then(late, () => undefined);
            throw redisUnavailable(error);
          }
        }
        await delay(RETRY_PAUSE);
      }
    },
    isUp: () => isUp === true,
    /** Milliseconds since Redis came back after it was lost; infinite when it never was. */
    sinceLost: () => performance.now() - backAt,
    /** `wasLost`: the connection had ended, or no reply came for so long that entries may have expired or gone. */
    onUp: (listener: UpListener) => void listeners.push(listener),
    close() {
      closed.abort();
      clearInterval(timer);
      redis.disconnect();
    },
  };
}

async function notConnected(): Promise<never> {
  throw new Error('not connected');
}

/**
 * What `work` brings within so many milliseconds. Before it is given up, what has come in meanwhile is read: on a busy
 * machine it is our own loop that was late.
 * @throws Error and what `work` throws
 */
async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  if (milliseconds === Number.POSITIVE_INFINITY) return work;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => setImmediate(() => late.reject(new Error('Command timed out'))),
    milliseconds,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Writes one entry; it may be repeated. */
export type Write = (redis: Redis) => Promise<unknown>;

export type SharedWrites = {
  /** Writes what matters until a moment (milliseconds since 1970). */
  write(name: string, until: number, work: Write): Promise<void>;
  /** Remembers what has been written already. */
  note(name: string, until: number, work: Write): void;
};
