import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Encryptor } from '../../encryption/encryptor.ts';
import { appError } from '../../http/errors.ts';
import { parseSession, type Session } from '../session/session.ts';
import { type RedisLink, redisUnavailable, type SharedWrites } from './link.ts';
import { PUBLISH, RELEASE, sharedName, TAKE } from './scripts.ts';

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
/** How long a renewed copy is there for a browser that has missed its new cookie, and written again to an empty Redis. */
const PUBLISHED_FOR = 24 * 60 * 60 * 1000;
const REWRITTEN_FOR = 60_000;
/** How long the end of the program waits for refreshes under way. */
const CLOSE_WITHIN = 5000;

type Work = (session: Session) => Promise<Session>;
const answers = Compile(
  Type.Tuple([Type.Enum(['newer', 'ended', 'taken', 'wait', 'published']), Type.String()]),
);
type Answer = { verdict: ReturnType<typeof answers.Parse>[0]; encrypted: string };

export type RefreshOnce = ReturnType<typeof createRefreshOnce>;

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
}) {
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
  async function run(
    redis: Redis,
    script: string,
    { id, generation }: Session,
    ...args: (string | number)[]
  ): Promise<Answer> {
    const keys = [sharedName('lock', id), sharedName('newest', id), sharedName('revoked', id)];
    const reply = await redis.eval(script, 3, ...keys, generation, ...args);
    const [verdict, encrypted] = answers.Parse(reply);
    return { verdict, encrypted };
  }
  function take(session: Session, token: string): Promise<Answer> {
    const mayTake = isUnsteady() ? 0 : 1;
    return link.demand((redis) => run(redis, TAKE, session, token, lease, mayTake), {
      late: ({ verdict }) => verdict === 'taken' && release(session.id, token),
    });
  }
  /** Undefined when the link is closed before Redis has it. */
  function publish(renewed: Session, token: string): Promise<Answer | undefined> {
    const { id } = renewed;
    const encrypted = encryptor.encrypt(JSON.stringify(renewed), id);
    const work = (redis: Redis) => run(redis, PUBLISH, renewed, token, encrypted, PUBLISHED_FOR);
    return link.demand(work, { forever: true }).then(
      (answer) => {
        writes.note(sharedName('newest', id), now() + REWRITTEN_FOR, work);
        return answer;
      },
      () => undefined,
    );
  }

  async function workUnderLease(session: Session, work: Work, token: string): Promise<Session> {
    const { id } = session;
    const renew = (redis: Redis) => run(redis, TAKE, session, token, lease, 1);
    const renewal = setInterval(() => void link.ask(undefined, renew), RENEW_EVERY);
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
    /** @throws AppError SESSION_ENDED; SERVICE_UNAVAILABLE with Retry-After; what `work` throws */
    async refresh(session: Session, work: Work): Promise<Session> {
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
    /** The copy that a gateway has published last, if it is still there and Redis can be asked. */
    async published(id: string): Promise<Session | undefined> {
      const encrypted = await link.ask(null, (redis) => redis.hget(sharedName('newest', id), 'sealed'));
      return encrypted === null ? undefined : read(encrypted, id);
    },
    /** The copy another gateway has published since this one, for certain. @throws AppError SERVICE_UNAVAILABLE */
    async newerThan({ id, generation }: Session): Promise<Session | undefined> {
      const name = sharedName('newest', id);
      for (;;) {
        const [known, encrypted] = await link.demand((redis) => redis.hmget(name, 'generation', 'sealed'));
        if (encrypted && Number(known) > generation) return opened(encrypted, id);
        if (!isUnsteady()) return undefined;
        await delay(LOOK_EVERY);
      }
    },
    /** Resolves when no refresh of this gateway is under way or unpublished, or after some seconds. */
    async finished(): Promise<void> {
      await Promise.race([Promise.all(underWay), delay(CLOSE_WITHIN, undefined, { ref: false })]);
    },
  };
}
