import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { appError } from '../../http/errors.ts';
import type { Sealer } from '../../sealing/seal.ts';
import { parseSession, type Session } from '../session/session.ts';
import type { RedisLink } from './link.ts';
import { sharedName } from './names.ts';
import { PUBLISH, RELEASE, RENEW, TAKE } from './scripts.ts';

/** Life of a lock that nobody renews, pause between two looks of those who wait, and how long they do. Milliseconds. */
const LEASE = 10_000;
const LOOK_EVERY = 40;
const LONGEST_WAIT = 30_000;
/** How long a renewed copy is there for a browser that has missed its new cookie. */
const PUBLISHED_FOR = 24 * 60 * 60 * 1000;

type Work = (session: Session) => Promise<Session>;
type Answer = { verdict: 'newer' | 'ended' | 'taken' | 'wait' | 'published' | 'alone'; sealed: string };

const ALONE: Answer = { verdict: 'alone', sealed: '' };
const VERDICTS = ['newer', 'ended', 'taken', 'wait', 'published'] as const;

function answerOf(reply: unknown): Answer {
  const [word, sealed] = Array.isArray(reply) ? reply : [];
  const verdict = VERDICTS.find((known) => known === word);
  return verdict === undefined ? ALONE : { verdict, sealed: String(sealed) };
}

export type RefreshOnce = {
  refresh(session: Session, work: Work): Promise<Session>;
  /** The copy that a gateway has published last, if it is still there. */
  published(id: string): Promise<Session | undefined>;
};

/**
 * One refresh of a session among all gateways: who holds the lock refreshes, renewing its lease, and publishes the copy
 * sealed; the others wait for that and adopt it. While Redis cannot be asked everybody refreshes for himself.
 */
export function createRefreshOnce({ link, sealer }: { link: RedisLink; sealer: Sealer }): RefreshOnce {
  const keysOf = ({ id }: Session): [string, string, string] => [
    sharedName('lock', id),
    sharedName('newest', id),
    sharedName('revoked', id),
  ];
  const run = (script: string, session: Session, ...values: (string | number)[]): Promise<Answer> =>
    link.ask(
      async (redis: Redis) => answerOf(await redis.eval(script, 3, ...keysOf(session), ...values)),
      () => ALONE,
    );

  /** A copy that cannot be opened (other keys, other version) is as good as none. */
  function opened(sealed: string | null, id: string): Session | undefined {
    const text = sealed === null ? undefined : sealer.open(sealed, id);
    return text === undefined ? undefined : parseSession(text);
  }

  async function publish(renewed: Session, token: string): Promise<Session> {
    const sealed = sealer.seal(JSON.stringify(renewed), renewed.id);
    const answer = await run(PUBLISH, renewed, renewed.generation, token, sealed, PUBLISHED_FOR);
    if (answer.verdict === 'ended') throw appError('SESSION_ENDED');
    return (answer.verdict === 'newer' && opened(answer.sealed, renewed.id)) || renewed;
  }

  async function workUnderLease(session: Session, work: Work, token: string): Promise<Session> {
    const lock = sharedName('lock', session.id);
    const onLock = (script: string, ...values: (string | number)[]) =>
      link.ask<unknown>(
        (redis) => redis.eval(script, 1, lock, ...values),
        () => undefined,
      );
    const renewal = setInterval(() => void onLock(RENEW, token, LEASE), LEASE / 3);
    try {
      return await publish(await work(session), token);
    } catch (error) {
      await onLock(RELEASE, token);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  return {
    async refresh(session, work) {
      const token = randomBytes(16).toString('base64url');
      const until = performance.now() + LONGEST_WAIT;
      while (performance.now() < until) {
        const { verdict, sealed } = await run(TAKE, session, session.generation, token, LEASE);
        if (verdict === 'ended') throw appError('SESSION_ENDED');
        if (verdict === 'taken') return workUnderLease(session, work, token);
        if (verdict !== 'wait') return opened(sealed, session.id) ?? work(session);
        await delay(LOOK_EVERY);
      }
      throw appError('UPSTREAM_UNAVAILABLE', {
        cause: new Error('another gateway did not finish a refresh'),
      });
    },
    published: async (id) =>
      opened(
        await link.ask(
          (redis) => redis.hget(sharedName('newest', id), 'sealed'),
          () => null,
        ),
        id,
      ),
  };
}
