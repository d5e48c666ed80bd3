import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Encryptor } from '../../encryption/encryptor.ts';
import { appError } from '../../http/errors.ts';
import { parseSession, type Session } from '../session/session.ts';
import { type RedisLink, redisUnavailable, type SharedWrites } from './link.ts';
import { PUBLISH, RELEASE, RENEW, sharedName, TAKE } from './scripts.ts';

/** Milliseconds between two renewals of a lock, between two looks of those who wait, and how long they do. */
const RENEW_EVERY = 1000;
const LOOK_EVERY = 40;
const LONGEST_WAIT = 30_000;
/**
 * Milliseconds after Redis was lost in which nobody takes a lock or believes a refusal: longer than it takes every gateway
 * to find it again, to take back its locks and to publish what it has renewed.
 */
const GRACE = 3000;
/** How long whoever has new tokens waits to have them published before they are used. */
const PUBLISH_WITHIN = 500;
/** How long a renewed copy is there for a browser that has missed its new cookie, and told again to an empty Redis. */
const PUBLISHED_FOR = 24 * 60 * 60 * 1000;
const TOLD_AGAIN_FOR = 60_000;
/** How long the end of the program waits for refreshes under way. */
const CLOSE_WITHIN = 5000;

type Work = (session: Session) => Promise<Session>;
type Answer = { verdict: 'newer' | 'ended' | 'taken' | 'wait' | 'published'; encrypted: string };

const VERDICTS = ['newer', 'ended', 'taken', 'wait', 'published'] as const;

function answerOf(reply: unknown): Answer {
  const [word, encrypted] = Array.isArray(reply) ? reply : [];
  const verdict = VERDICTS.find((known) => known === word);
  if (verdict === undefined) throw new Error('Redis answered a script in another form');
  return { verdict, encrypted: String(encrypted) };
}

const keysOf = (id: string): [string, string, string] => [
  sharedName('lock', id),
  sharedName('newest', id),
  sharedName('revoked', id),
];

export type RefreshOnce = {
  /** @throws AppError SESSION_ENDED; SERVICE_UNAVAILABLE with Retry-After; what `work` throws */
  refresh(session: Session, work: Work): Promise<Session>;
  /** The copy that a gateway has published last, if it is still there and Redis can be asked. */
  published(id: string): Promise<Session | undefined>;
  /** The copy another gateway has published since this one, for certain. @throws AppError SERVICE_UNAVAILABLE */
  newerThan(session: Session): Promise<Session | undefined>;
  /** Resolves when no refresh of this gateway is under way or unpublished, or after some seconds. */
  finished(): Promise<void>;
};

/**
 * One refresh of a session among all gateways: whoever holds the lock refreshes and publishes the copy encrypted; the others
 * wait for that and adopt it. Nobody refreshes without the lock, nor a copy that is not the newest: refresh tokens may be
 * good only once. A holder keeps its lock until what it has renewed is published, however long Redis is away.
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
  /** Life of a lock that nobody renews, in milliseconds: longer than Redis stands still and comes back. */
  lease: number;
  now: () => number;
}): RefreshOnce {
  const underWay = new Set<Promise<unknown>>();
  const isUnsteady = (): boolean => link.sinceLost() < GRACE;

  function read(encrypted: string, id: string): Session | undefined {
    const text = encryptor.decrypt(encrypted, id);
    return text === undefined ? undefined : parseSession(text);
  }
  /** @throws AppError SERVICE_UNAVAILABLE for a copy made with other keys or in another form: this one is not the newest */
  function opened(encrypted: string, id: string): Session {
    const session = read(encrypted, id);
    if (session) return session;
    throw redisUnavailable(new Error('a newer copy of the session cannot be opened here'));
  }
  const release = (id: string, token: string): void => {
    const work = (redis: Redis) => redis.eval(RELEASE, 1, sharedName('lock', id), token);
    link.demand(work, { forever: true }).catch(() => undefined);
  };
  function take({ id, generation }: Session, token: string): Promise<Answer> {
    const mayTake = isUnsteady() ? 0 : 1;
    return link.demand(
      async (redis) => answerOf(await redis.eval(TAKE, 3, ...keysOf(id), generation, token, lease, mayTake)),
      { late: ({ verdict }) => verdict === 'taken' && release(id, token) },
    );
  }
  /** Undefined when the link is closed before Redis has it. */
  function publish(renewed: Session, token: string): Promise<Answer | undefined> {
    const { id, generation } = renewed;
    const encrypted = encryptor.encrypt(JSON.stringify(renewed), id);
    const work = async (redis: Redis) =>
      answerOf(await redis.eval(PUBLISH, 3, ...keysOf(id), generation, token, encrypted, PUBLISHED_FOR));
    return link.demand(work, { forever: true }).then(
      (answer) => {
        writes.note(sharedName('newest', id), now() + TOLD_AGAIN_FOR, work);
        return answer;
      },
      () => undefined,
    );
  }

  async function workUnderLease(session: Session, work: Work, token: string): Promise<Session> {
    const { id, generation } = session;
    const renew = (redis: Redis) => redis.eval(RENEW, 3, ...keysOf(id), generation, token, lease);
    const renewal = setInterval(() => void link.ask<unknown>(renew, () => undefined), RENEW_EVERY);
    const renewed = await work(session)
      .catch((error: unknown) => {
        release(id, token);
        throw error;
      })
      // Before the last step on the lock, so that no renewal comes after it.
      .finally(() => clearInterval(renewal));
    const published = watched(publish(renewed, token));
    const answer = await Promise.race([published, delay(PUBLISH_WITHIN, undefined, { ref: false })]);
    if (answer?.verdict === 'ended') throw appError('SESSION_ENDED');
    return answer?.verdict === 'newer' ? opened(answer.encrypted, id) : renewed;
  }
  function watched<T>(promise: Promise<T>): Promise<T> {
    const settled = promise.then(
      () => undefined,
      () => undefined,
    );
    underWay.add(settled);
    void settled.then(() => underWay.delete(settled));
    return promise;
  }

  return {
    async refresh(session, work) {
      const token = randomBytes(16).toString('base64url');
      const until = performance.now() + LONGEST_WAIT;
      while (performance.now() < until) {
        const { verdict, encrypted } = await take(session, token);
        if (verdict === 'ended') throw appError('SESSION_ENDED');
        if (verdict === 'newer') return opened(encrypted, session.id);
        if (verdict === 'taken' && !isUnsteady()) return watched(workUnderLease(session, work, token));
        if (verdict === 'taken') release(session.id, token);
        await delay(LOOK_EVERY);
      }
      throw redisUnavailable(new Error('another gateway did not finish a refresh'));
    },
    async published(id) {
      const encrypted = await link.ask(
        (redis) => redis.hget(sharedName('newest', id), 'sealed'),
        () => null,
      );
      return encrypted === null ? undefined : read(encrypted, id);
    },
    async newerThan({ id, generation }) {
      const name = sharedName('newest', id);
      for (;;) {
        const [known, encrypted] = await link.demand((redis) => redis.hmget(name, 'generation', 'sealed'));
        if (encrypted && Number(known) > generation) return opened(encrypted, id);
        if (!isUnsteady()) return undefined;
        await delay(LOOK_EVERY);
      }
    },
    async finished() {
      await Promise.race([Promise.all(underWay), delay(CLOSE_WITHIN, undefined, { ref: false })]);
    },
  };
}
