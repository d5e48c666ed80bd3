import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { retryLater } from '../../http/errors.ts';
import type { RedisAddress } from '../options.ts';
import type { RedisTimeouts } from '../timeouts.ts';
import { createClient, evictionPolicies, type RedisClient } from './client.ts';

/** All times in milliseconds. */
const HEARTBEAT = 1000;
const RETRY_DELAY = 50;
/** A connection without replies for this long is closed: the peer may have vanished without closing it. */
const DEAD_AFTER = 15_000;
/** How often a server is asked for its policy while it stays connected. */
const POLICY_INTERVAL = 60_000;
/** Milliseconds until a client should try again. */
const RETRY_AFTER = 2000;

/** `evicts`: the policy with which a full Redis removes keys, ended sessions among them; null if it does not. */
export type RedisState = { isUp: boolean; evicts: string | null };

type UpListener = (change: { wasLost: boolean }) => void;

const PROBE_KEY = 'plugin-square:probe';

export type RedisLink = Awaited<ReturnType<typeof openRedis>>;

/** Error of a command without a fallback. */
export function redisUnavailable(cause: unknown) {
  return retryLater('SERVICE_UNAVAILABLE', RETRY_AFTER, { cause });
}

/**
 * A connection to Redis. After a failed command, commands with a fallback use it immediately until a heartbeat
 * succeeds. The heartbeat is a write, because a full Redis or a replica still answers PING.
 */
export async function openRedis({
  address,
  ca,
  log,
  onChange,
  longSilence,
  timeouts,
}: {
  address: RedisAddress;
  /** PEM of a private authority, for TLS. */
  ca?: string | undefined;
  log: FastifyBaseLogger;
  /** Called with the state at the start and at every change. */
  onChange: (state: RedisState) => void;
  /** Milliseconds without a reply after which entries in Redis may have expired. */
  longSilence: number;
  timeouts: RedisTimeouts;
}) {
  const redis = createClient(address, { ca, connectTimeout: timeouts.connect });
  const listeners: UpListener[] = [];
  const closed = new AbortController();
  let isUp: boolean | undefined;
  let evicts: string | null = null;
  let policyReadAt = Number.NEGATIVE_INFINITY;
  let isProbing = false;
  /** The connection ended since the last reply; the second: listeners have not been notified of it yet. */
  let isConnectionLost = false;
  let isLossPending = false;
  let recoveredAt = Number.NEGATIVE_INFINITY;
  let lastReplyAt = performance.now();

  function setAvailable(value: boolean, reason?: string): void {
    if (closed.signal.aborted || (isUp === value && !(value && isLossPending))) return;
    const isChange = isUp !== value;
    const isFirst = isUp === undefined;
    isUp = value;
    if (isChange) onChange({ isUp: value, evicts });
    if (!value) log.warn({ reason }, 'Redis unavailable, falling back to in-process state');
    else if (isChange && !isFirst) log.info('Redis available again');
    if (!value) return;
    void readPolicy();
    const wasLost = isLossPending;
    isLossPending = false;
    for (const listener of listeners) listener({ wasLost });
  }
  const setUnavailable = (error: unknown): void =>
    setAvailable(false, error instanceof Error ? error.message : String(error));

  /** A server that only lacks the permission for INFO counts as one that evicts nothing. */
  async function readPolicy(): Promise<void> {
    policyReadAt = performance.now();
    const policies = await evictionPolicies(redis).catch(() => undefined);
    if (policies === undefined || closed.signal.aborted) return;
    const found = policies.length > 0 ? policies.join(', ') : null;
    if (found === evicts) return;
    evicts = found;
    if (found === null) log.info('Redis evicts no keys any more');
    else log.error({ policy: found }, 'Redis evicts keys when its memory is full: ended sessions may return');
    onChange({ isUp: isUp === true, evicts });
  }

  function replied<T>(reply: T): T {
    const now = performance.now();
    if (isConnectionLost || now - lastReplyAt > longSilence) {
      isLossPending = true;
      recoveredAt = now;
    }
    isConnectionLost = false;
    lastReplyAt = now;
    return reply;
  }
  /** Resolves when the reply has arrived or timed out. Only one probe is sent at a time, even if its reply is late. */
  async function probe(timeout = timeouts.command): Promise<void> {
    isProbing = true;
    const reply = redis.set(PROBE_KEY, '1', 'PX', HEARTBEAT).then(replied);
    const hasReplied = reply.then(
      () => true,
      () => false,
    );
    void hasReplied.then((isAlive) => {
      isProbing = false;
      if (isAlive && isUp === false) setTimeout(heartbeat, RETRY_DELAY).unref();
    });
    await withTimeout(reply, timeout).then(() => setAvailable(true), setUnavailable);
  }
  function heartbeat(): void {
    if (redis.status !== 'ready' || closed.signal.aborted) return;
    if (isUp === true && performance.now() - policyReadAt > POLICY_INTERVAL) void readPolicy();
    if (!isProbing) void probe();
    else if (performance.now() - lastReplyAt > DEAD_AFTER) redis.disconnect(true);
  }

  /** A failure is an `error` of the client too, which is handled there. */
  function reconnect(): void {
    if (!closed.signal.aborted) redis.connect().catch(() => undefined);
  }

  redis.on('error', setUnavailable);
  redis.on('close', () => {
    isConnectionLost = true;
    setUnavailable(new Error('connection closed'));
  });
  // News of a fail-over that come while Sentinel is asked for the primary end the library's own attempts for good.
  redis.on('end', () => setTimeout(reconnect, RETRY_DELAY).unref());
  await redis.connect().then(() => probe(timeouts.connect), setUnavailable);
  redis.on('ready', heartbeat);
  const timer = setInterval(heartbeat, HEARTBEAT).unref();

  return {
    /** Runs a command; returns `fallback` if Redis is unavailable or too slow. */
    async run<T, Fallback>(
      fallback: Fallback,
      command: (redis: RedisClient) => Promise<T>,
    ): Promise<T | Fallback> {
      if (isUp !== true) return fallback;
      try {
        return await withTimeout(command(redis).then(replied), timeouts.command);
      } catch (error) {
        setUnavailable(error);
        return fallback;
      }
    },
    /**
     * Runs a command without a fallback. It is retried until a reply arrives, so it must be idempotent; `forever`: for
     * as long as the link is open, otherwise for a few seconds. A reply after that is passed to `onLateReply`.
     * @throws AppError SERVICE_UNAVAILABLE with Retry-After
     */
    async runRequired<T>(
      command: (redis: RedisClient) => Promise<T>,
      { forever = false, onLateReply }: { forever?: boolean; onLateReply?: (reply: T) => void } = {},
    ): Promise<T> {
      const until = forever ? Number.POSITIVE_INFINITY : lastReplyAt + timeouts.required;
      for (;;) {
        const left = Math.max(until - performance.now(), RETRY_DELAY);
        const reply = redis.status === 'ready' ? command(redis).then(replied) : notConnected();
        try {
          return await withTimeout(reply, left);
        } catch (error) {
          if (performance.now() >= until || closed.signal.aborted) {
            if (onLateReply) reply.then(onLateReply, () => undefined);
            throw redisUnavailable(error);
          }
        }
        await delay(RETRY_DELAY);
      }
    },
    isUp: () => isUp === true,
    /** Milliseconds since Redis recovered from a loss; infinite if it was never lost. */
    sinceLost: () => performance.now() - recoveredAt,
    /** `wasLost`: the connection ended, or Redis was silent for so long that entries may be lost. */
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

/** Rejects after a timeout. `setImmediate`: if our own event loop was late, a received reply still counts. */
async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
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

/** An idempotent write of one entry. */
export type Write = (redis: RedisClient) => Promise<unknown>;

export type SharedWrites = {
  /** Writes an entry, and repeats that after an outage. `until`: its expiry, in milliseconds since 1970. */
  write(name: string, until: number, work: Write): Promise<void>;
  /** Registers an entry that is written already, to be repeated after an outage. */
  note(name: string, until: number, work: Write): void;
};
