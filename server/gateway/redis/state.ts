import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { createEncryptor } from '../../encryption/encryptor.ts';
import { createUntilCache } from '../session/ended.ts';
import { parseSession, type Session } from '../session/session.ts';
import type { SharedState } from '../session/shared-state.ts';
import type { RedisLink, SharedWrites, Write } from './link.ts';
import { createRefreshOnce, type RefreshOnce } from './refresh-once.ts';
import { SET_MAX, sharedName } from './scripts.ts';

/** How long a sign-out waits for another gateway's refresh, and how often it looks. Milliseconds. */
const SETTLED_WITHIN = 10_000;
const LOOK_EVERY = 40;

/**
 * What gateways share, on Redis, in front of what each knows itself: `local` answers what it can, coalesces the requests
 * of this process, and is all there is while Redis cannot be asked; but nobody renews a session then. Tokens lie in Redis
 * encrypted only. `lease`: life of a refresh's lock that nobody renews, in milliseconds.
 */
export function createRedisState(
  link: RedisLink,
  local: SharedState,
  { keys, lease, now }: { keys: readonly Buffer[]; lease: number; now: () => number },
): SharedState & Pick<RefreshOnce, 'finished'> {
  const encryptor = createEncryptor(keys, 'shared session');
  const writes = createSharedWrites(link, now);
  const shared = createRefreshOnce({ link, encryptor, writes, lease, now });
  const setMax = (redis: Redis, name: string, value: number, until: number): Promise<unknown> =>
    redis.eval(SET_MAX, 1, name, value, Math.max(1, Math.ceil(until - now())));

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
        Promise.all([setMax(redis, name, 1, until), redis.del(sharedName('newest', id))]),
      );
    },
    async isRevoked(id) {
      if (local.isKnownRevoked(id)) return true;
      const left = await link.ask(0, (redis) => redis.pttl(sharedName('revoked', id)));
      if (left > 0) await local.revoke(id, now() + left);
      return left > 0;
    },
    async revokeAll(key, at, until) {
      await local.revokeAll(key, at, until);
      const name = sharedName('revoked-all', key);
      await writes.write(name, until, (redis) => setMax(redis, name, at, until));
    },
    async revokedAllAt(keysOfSession) {
      const names = keysOfSession.map((key) => sharedName('revoked-all', key));
      const found = await Promise.all(names.map((name) => link.ask(null, (redis) => redis.get(name))));
      return Math.max(await local.revokedAllAt(keysOfSession), ...found.map(Number));
    },
    async useOnce(value, until) {
      if (!(await local.useOnce(value, until))) return false;
      const name = sharedName('used', value);
      const use = (redis: Redis) => setMax(redis, name, 1, until);
      const life = Math.max(1, until - now());
      const answer = await link.ask(undefined, (redis) => redis.set(name, '1', 'PX', life, 'NX'));
      if (answer === 'OK') writes.note(name, until, use);
      if (answer === undefined) await writes.write(name, until, use);
      return answer !== null;
    },
    async settled(id) {
      await local.settled(id);
      const lock = sharedName('lock', id);
      const until = performance.now() + SETTLED_WITHIN;
      while (performance.now() < until && (await link.ask(0, (redis) => redis.exists(lock))) > 0) {
        await delay(LOOK_EVERY);
      }
      const copy = await shared.published(id);
      if (copy) await local.renewOnce(copy, async () => copy);
    },
  };
}

/** Entries that can be written again; the oldest are given up first. */
const ENTRIES_MAX = 100_000;

/**
 * What this gateway has written for the others, for as long as it matters. What could not be written is written when Redis can be
 * asked again; all of it when the connection was lost, since Redis may have come back empty: a session that was ended must
 * be over everywhere.
 */
function createSharedWrites(link: RedisLink, now: () => number): SharedWrites {
  type Entry = { name: string; until: number; work: Write; isWritten: boolean };
  const entries = createUntilCache<Entry>(ENTRIES_MAX, now);

  async function write(name: string, until: number, work: Write): Promise<void> {
    if (until <= now()) return;
    const isWritten = await link.ask(false, (redis) => work(redis).then(() => true));
    entries.set(name, { name, until, work, isWritten });
  }

  link.onUp(({ wasLost }) => {
    for (const { name, until, work, isWritten } of [...entries.values()]) {
      if (wasLost || !isWritten) void write(name, until, work);
    }
  });
  return { write, note: (name, until, work) => entries.set(name, { name, until, work, isWritten: true }) };
}

export type SessionStore = ReturnType<typeof createSessionStore>;

/**
 * Sessions that are too large for cookies, in Redis, encrypted under the keys of sessions and bound to their ticket: a
 * random id that the cookie has instead.
 */
export function createSessionStore(link: RedisLink, keys: readonly Buffer[]) {
  const encryptor = createEncryptor(keys, 'stored session');
  const nameOf = (ticket: string): string => sharedName('session', ticket);
  return {
    /** Keeps a session with a ticket for so many milliseconds. @throws AppError SERVICE_UNAVAILABLE */
    async put(session: Session, lifetime: number): Promise<void> {
      const { ticket } = session;
      if (ticket === undefined || lifetime <= 0) return;
      const value = encryptor.encrypt(JSON.stringify(session), ticket);
      await link.demand((redis) => redis.set(nameOf(ticket), value, 'PX', Math.ceil(lifetime)));
    },
    /** Undefined for one that has been removed or has run out. @throws AppError SERVICE_UNAVAILABLE */
    async get(ticket: string): Promise<Session | undefined> {
      const value = await link.demand((redis) => redis.get(nameOf(ticket)));
      const text = value === null ? undefined : encryptor.decrypt(value, ticket);
      return text === undefined ? undefined : parseSession(text);
    },
    /** What cannot be removed now runs out by itself. */
    async remove(ticket: string): Promise<void> {
      await link.ask(0, (redis) => redis.del(nameOf(ticket)));
    },
  };
}
