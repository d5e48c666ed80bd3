import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Encryptor } from '../../encryption/encryptor.ts';
import { appError } from '../../http/errors.ts';
import { parseSession, type Session } from '../session/session.ts';
import type { RedisClient } from './client.ts';
import { type RedisLink, redisUnavailable, type SharedWrites } from './link.ts';
import { PUBLISH, RELEASE, sharedName, TAKE } from './scripts.ts';

/** All times in milliseconds. */
const LOCK_RENEW_INTERVAL = 1000;
const POLL_INTERVAL = 40;
const MAX_WAIT = 30_000;
/**
 * Time after a Redis outage in which no gateway takes a new lock or accepts a token rejection: every gateway
 * reconnects, restores its locks and publishes its renewed sessions first.
 */
const GRACE = 3000;
/** New tokens are used after this time even if publishing them has not finished. */
const PUBLISH_TIMEOUT = 500;
/** Expiry of a published copy, for browsers that missed the new cookie. */
const PUBLISHED_TTL = 24 * 60 * 60 * 1000;
/** Time in which a published copy is written again to an empty Redis. */
const REWRITE_WINDOW = 60_000;
const CLOSE_TIMEOUT = 5000;

type Work = (session: Session) => Promise<Session>;
const replies = Compile(
  Type.Tuple([Type.Enum(['newer', 'ended', 'taken', 'wait', 'published']), Type.String()]),
);
type Reply = { verdict: ReturnType<typeof replies.Parse>[0]; encrypted: string };

export type RefreshOnce = ReturnType<typeof createRefreshOnce>;

/**
 * Refreshes a session once among all gateways: the lock holder refreshes and publishes the encrypted copy; the others
 * wait and adopt it. No gateway refreshes without the lock or with an older copy, because refresh tokens may be
 * one-time. The holder keeps the lock until its copy is published, even during a Redis outage.
 */
export function createRefreshOnce({
  link,
  encryptor,
  writes,
  lease,
  now,
}: {
  link: RedisLink;
  encryptor: Encryptor;
  writes: SharedWrites;
  /** Expiry of a lock that is not renewed, in milliseconds: longer than a Redis outage. */
  lease: number;
  now: () => number;
}) {
  const pending = new Set<Promise<unknown>>();
  const isRecovering = (): boolean => link.sinceLost() < GRACE;

  function read(encrypted: string, id: string): Session | undefined {
    const text = encryptor.decrypt(encrypted, id);
    return text === undefined ? undefined : parseSession(text);
  }
  /** @throws AppError SERVICE_UNAVAILABLE if the newer copy has other keys or another schema */
  function decrypt(encrypted: string, id: string): Session {
    const session = read(encrypted, id);
    if (session) return session;
    throw redisUnavailable(new Error('newer copy of the session cannot be decrypted'));
  }
  const release = (id: string, token: string): void => {
    const command = (redis: RedisClient) => redis.eval(RELEASE, 1, sharedName('lock', id), token);
    link.runRequired(command, { forever: true }).catch(() => undefined);
  };
  async function run(
    redis: RedisClient,
    script: string,
    { id, generation }: Session,
    ...args: (string | number)[]
  ): Promise<Reply> {
    const keys = [sharedName('lock', id), sharedName('newest', id), sharedName('revoked', id)];
    const reply = await redis.eval(script, 3, ...keys, generation, ...args);
    const [verdict, encrypted] = replies.Parse(reply);
    return { verdict, encrypted };
  }
  function acquire(session: Session, token: string): Promise<Reply> {
    const mayTake = isRecovering() ? 0 : 1;
    return link.runRequired((redis) => run(redis, TAKE, session, token, lease, mayTake), {
      onLateReply: ({ verdict }) => verdict === 'taken' && release(session.id, token),
    });
  }
  /** Undefined if the link is closed before the copy is published. */
  function publish(renewed: Session, token: string): Promise<Reply | undefined> {
    const { id } = renewed;
    const encrypted = encryptor.encrypt(JSON.stringify(renewed), id);
    const command = (redis: RedisClient) => run(redis, PUBLISH, renewed, token, encrypted, PUBLISHED_TTL);
    return link.runRequired(command, { forever: true }).then(
      (reply) => {
        writes.note(sharedName('newest', id), now() + REWRITE_WINDOW, command);
        return reply;
      },
      () => undefined,
    );
  }

  async function refreshWithLock(session: Session, work: Work, token: string): Promise<Session> {
    const { id } = session;
    const renew = (redis: RedisClient) => run(redis, TAKE, session, token, lease, 1);
    const renewal = setInterval(() => void link.run(undefined, renew), LOCK_RENEW_INTERVAL);
    const renewed = await work(session)
      .catch((error: unknown) => {
        release(id, token);
        throw error;
      })
      // Before the lock is released, so that no renewal follows.
      .finally(() => clearInterval(renewal));
    const published = track(publish(renewed, token));
    const reply = await Promise.race([published, delay(PUBLISH_TIMEOUT, undefined, { ref: false })]);
    if (reply?.verdict === 'ended') throw appError('SESSION_ENDED');
    return reply?.verdict === 'newer' ? decrypt(reply.encrypted, id) : renewed;
  }
  function track<T>(promise: Promise<T>): Promise<T> {
    const settled = promise.then(
      () => undefined,
      () => undefined,
    );
    pending.add(settled);
    void settled.then(() => pending.delete(settled));
    return promise;
  }

  return {
    /** @throws AppError SESSION_ENDED; SERVICE_UNAVAILABLE with Retry-After; the errors of `work` */
    async refresh(session: Session, work: Work): Promise<Session> {
      const token = randomBytes(16).toString('base64url');
      const until = performance.now() + MAX_WAIT;
      while (performance.now() < until) {
        const { verdict, encrypted } = await acquire(session, token);
        if (verdict === 'ended') throw appError('SESSION_ENDED');
        if (verdict === 'newer') return decrypt(encrypted, session.id);
        if (verdict === 'taken' && !isRecovering()) return track(refreshWithLock(session, work, token));
        if (verdict === 'taken') release(session.id, token);
        await delay(POLL_INTERVAL);
      }
      throw redisUnavailable(new Error('another gateway did not finish a refresh'));
    },
    /** The last published copy, if it has not expired and Redis is available. */
    async published(id: string): Promise<Session | undefined> {
      const encrypted = await link.run(null, (redis) => redis.hget(sharedName('newest', id), 'sealed'));
      return encrypted === null ? undefined : read(encrypted, id);
    },
    /** The copy another gateway has published since this one. @throws AppError SERVICE_UNAVAILABLE */
    async newerThan({ id, generation }: Session): Promise<Session | undefined> {
      const name = sharedName('newest', id);
      for (;;) {
        const [known, encrypted] = await link.runRequired((redis) =>
          redis.hmget(name, 'generation', 'sealed'),
        );
        if (encrypted && Number(known) > generation) return decrypt(encrypted, id);
        if (!isRecovering()) return undefined;
        await delay(POLL_INTERVAL);
      }
    },
    /** Resolves when all refreshes of this gateway are published, or after the close timeout. */
    async finished(): Promise<void> {
      await Promise.race([Promise.all(pending), delay(CLOSE_TIMEOUT, undefined, { ref: false })]);
    },
  };
}
