import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { createEncryptor } from '../../encryption/encryptor.ts';
import { createUntilCache } from '../session/ended.ts';
import { parseSession, type Session } from '../session/session.ts';
import type { SharedState } from '../session/shared-state.ts';
import type { RedisLink, SharedWrites, Write } from './link.ts';
import { createRefreshOnce, type RefreshOnce } from './refresh-once.ts';
import { KEEP, sharedName } from './scripts.ts';

/** How long a sign-out waits for another gateway's refresh, and how often it looks. Milliseconds. */
const SETTLED_WITHIN = 10_000;
const LOOK_EVERY = 40;

/**
 * What gateways share, on Redis, in front of what each knows itself: `local` answers what it can, coalesces the requests
 * of this process, and is all there is while Redis cannot be asked; but nobody renews a session then. Tokens lie in Redis
 * encrypted only.
 */
export function createRedisState({
  link,
  local,
  keys,
  lease,
  now,
}: {
  link: RedisLink;
  local: SharedState;
  /** Master keys of the sessions. */
  keys: readonly Buffer[];
  /** Life of a refresh's lock that nobody renews, in milliseconds. */
  lease: number;
  now: () => number;
}): SharedState & Pick<RefreshOnce, 'finished'> {
  const encryptor = createEncryptor(keys, 'shared session');
  const writes = createSharedWrites(link, now);
  const shared = createRefreshOnce({ link, encryptor, writes, lease, now });
  const keep = (redis: Redis, name: string, value: number, until: number): Promise<unknown> =>
    redis.eval(KEEP, 1, name, value, Math.max(1, Math.ceil(until - now())));

  const untilRevoked = (id: string): Promise<number> =>
    link.ask(
      async (redis) => {
        const left = await redis.pttl(sharedName('revoked', id));
        return left > 0 ? now() + left : 0;
      },
      () => 0,
    );
  const isRefreshing = (id: string): Promise<boolean> =>
    link.ask(
      async (redis) => (await redis.exists(sharedName('lock', id))) === 1,
      () => false,
    );

  return {
    isKnownRevoked: local.isKnownRevoked,
    newest: local.newest,
    renewOnce: (session, work) => local.renewOnce(session, (newest) => shared.refresh(newest, work)),
    mayRenew: link.isUp,
    newerThan: shared.newerThan,
    finished: shared.finished,
    async revoke(id, until) {
      await local.revoke(id, until);
      const name = sharedName('revoked', id);
      await writes.write(name, until, (redis) =>
        Promise.all([keep(redis, name, 1, until), redis.del(sharedName('newest', id))]),
      );
    },
    async isRevoked(id) {
      if (local.isKnownRevoked(id)) return true;
      const until = await untilRevoked(id);
      if (until > 0) await local.revoke(id, until);
      return until > 0;
    },
    async revokeAll(key, at, until) {
      await local.revokeAll(key, at, until);
      const name = sharedName('revoked-all', key);
      await writes.write(name, until, (redis) => keep(redis, name, at, until));
    },
    async revokedAllAt(keysOfSession) {
      const known = await local.revokedAllAt(keysOfSession);
      if (keysOfSession.length === 0) return known;
      const found = await Promise.all(
        keysOfSession.map((key) =>
          link.ask(
            (redis) => redis.get(sharedName('revoked-all', key)),
            () => null,
          ),
        ),
      );
      return Math.max(known, ...found.map(Number));
    },
    async useOnce(value, until) {
      if (!(await local.useOnce(value, until))) return false;
      const name = sharedName('used', value);
      const use = (redis: Redis) => keep(redis, name, 1, until);
      return link.ask(
        async (redis) => {
          const life = Math.max(1, until - now());
          if ((await redis.set(name, '1', 'PX', life, 'NX')) !== 'OK') return false;
          writes.note(name, until, use);
          return true;
        },
        async () => {
          await writes.write(name, until, use);
          return true;
        },
      );
    },
    async settled(id) {
      await local.settled(id);
      const until = performance.now() + SETTLED_WITHIN;
      while (performance.now() < until && (await isRefreshing(id))) await delay(LOOK_EVERY);
      const copy = await shared.published(id);
      if (copy) await local.renewOnce(copy, async () => copy);
    },
  };
}

/** Entries that can be written again; the oldest are given up first. */
const ENTRIES_MAX = 100_000;

/**
 * What this gateway has told the others, for as long as it matters. What could not be written is written when Redis can be
 * asked again; all of it when the connection was lost, since Redis may have come back empty: a session that was ended must
 * be over everywhere.
 */
function createSharedWrites(link: RedisLink, now: () => number): SharedWrites {
  const entries = createUntilCache<{ name: string; until: number; work: Write; isWritten: boolean }>(
    ENTRIES_MAX,
    now,
  );

  async function write(name: string, until: number, work: Write): Promise<void> {
    if (until <= now()) return;
    const isWritten = await link.ask(
      (redis) => work(redis).then(() => true),
      () => false,
    );
    entries.set(name, { name, until, work, isWritten });
  }

  link.onUp(({ wasLost }) => {
    for (const { name, until, work, isWritten } of [...entries.values()]) {
      if (wasLost || !isWritten) void write(name, until, work);
    }
  });
  return { write, note: (name, until, work) => entries.set(name, { name, until, work, isWritten: true }) };
}

/** Holds sessions that are too large for cookies, each under its ticket: a random id that the cookie has instead. */
export type SessionStore = {
  /** Keeps a session with a ticket for so many milliseconds. @throws AppError SERVICE_UNAVAILABLE */
  put(session: Session, lifetime: number): Promise<void>;
  /** Undefined for one that has been removed or has run out. @throws AppError SERVICE_UNAVAILABLE */
  get(ticket: string): Promise<Session | undefined>;
  /** What cannot be removed now runs out by itself. */
  remove(ticket: string): Promise<void>;
};

/** Sessions in Redis, encrypted under the keys of sessions and bound to their ticket. */
export function createSessionStore(link: RedisLink, keys: readonly Buffer[]): SessionStore {
  const encryptor = createEncryptor(keys, 'stored session');
  const nameOf = (ticket: string): string => sharedName('session', ticket);
  return {
    async put(session, lifetime) {
      const { ticket } = session;
      if (ticket === undefined || lifetime <= 0) return;
      const value = encryptor.encrypt(JSON.stringify(session), ticket);
      await link.demand((redis) => redis.set(nameOf(ticket), value, 'PX', Math.ceil(lifetime)));
    },
    async get(ticket) {
      const value = await link.demand((redis) => redis.get(nameOf(ticket)));
      const text = value === null ? undefined : encryptor.decrypt(value, ticket);
      return text === undefined ? undefined : parseSession(text);
    },
    async remove(ticket) {
      await link.ask(
        (redis) => redis.del(nameOf(ticket)),
        () => 0,
      );
    },
  };
}
