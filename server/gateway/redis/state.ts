import { setTimeout as delay } from 'node:timers/promises';
import { createEncryptor } from '../../encryption/encryptor.ts';
import { createUntilCache } from '../session/ended.ts';
import { parseSession, type Session } from '../session/session.ts';
import type { SharedState } from '../session/shared-state.ts';
import type { RedisClient } from './client.ts';
import type { RedisLink, SharedWrites, Write } from './link.ts';
import { createRefreshOnce, type RefreshOnce } from './refresh-once.ts';
import { SET_MAX, sharedName } from './scripts.ts';

/** A sign-out waits this long for a refresh of another gateway. */
const RENEWAL_WAIT_MS = 10_000;
const POLL_INTERVAL_MS = 40;

/**
 * Shared state in Redis on top of the `local` state, which coalesces the requests of this process and is the fallback
 * while Redis is unavailable; sessions are not renewed then. Redis contains tokens only in encrypted form. `lease`:
 * expiry of an abandoned refresh lock, in milliseconds.
 */
export function createRedisState(
  link: RedisLink,
  local: SharedState,
  { keys, lease, now }: { keys: readonly Buffer[]; lease: number; now: () => number },
): SharedState & Pick<RefreshOnce, 'finished'> {
  const encryptor = createEncryptor(keys, 'shared session');
  const writes = createSharedWrites(link, now);
  const shared = createRefreshOnce({ link, encryptor, writes, lease, now });
  const setMax = (redis: RedisClient, name: string, value: number, until: number): Promise<unknown> =>
    redis.eval(SET_MAX, 1, name, value, Math.max(1, Math.ceil(until - now())));

  return {
    isKnownRevoked: local.isKnownRevoked,
    newest: local.newest,
    renewOnce: (session, work) => local.renewOnce(session, (newest) => shared.refresh(newest, work)),
    canRenew: link.isUp,
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
      const left = await link.run(0, (redis) => redis.pttl(sharedName('revoked', id)));
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
      const found = await Promise.all(names.map((name) => link.run(null, (redis) => redis.get(name))));
      return Math.max(await local.revokedAllAt(keysOfSession), ...found.map(Number));
    },
    async useOnce(value, until) {
      if (!(await local.useOnce(value, until))) return false;
      const name = sharedName('used', value);
      const use = (redis: RedisClient) => setMax(redis, name, 1, until);
      const ttl = Math.max(1, until - now());
      const reply = await link.run(undefined, (redis) => redis.set(name, '1', 'PX', ttl, 'NX'));
      if (reply === 'OK') writes.note(name, until, use);
      if (reply === undefined) await writes.write(name, until, use);
      return reply !== null;
    },
    async waitForRenewal(id) {
      await local.waitForRenewal(id);
      const lock = sharedName('lock', id);
      const until = performance.now() + RENEWAL_WAIT_MS;
      while (performance.now() < until && (await link.run(0, (redis) => redis.exists(lock))) > 0) {
        await delay(POLL_INTERVAL_MS);
      }
      const copy = await shared.published(id);
      if (copy) await local.renewOnce(copy, async () => copy);
    },
  };
}

/** Entries that can be written again; the oldest are removed first. */
const ENTRIES_MAX = 100_000;

/**
 * The unexpired entries that this gateway has written. Failed writes are repeated when Redis is available again; after
 * a lost connection all of them, because Redis may have lost its data and an ended session must stay ended on all
 * gateways.
 */
function createSharedWrites(link: RedisLink, now: () => number): SharedWrites {
  type Entry = { name: string; until: number; work: Write; isWritten: boolean };
  const entries = createUntilCache<Entry>(ENTRIES_MAX, now);

  async function write(name: string, until: number, work: Write): Promise<void> {
    if (until <= now()) return;
    const isWritten = await link.run(false, (redis) => work(redis).then(() => true));
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

/** Large sessions in Redis, encrypted with the session keys and bound to their ticket in the cookie. */
export function createSessionStore(link: RedisLink, keys: readonly Buffer[]) {
  const encryptor = createEncryptor(keys, 'stored session');
  const nameOf = (ticket: string): string => sharedName('session', ticket);
  return {
    /** Stores a session that has a ticket. `lifetime` in milliseconds. @throws AppError SERVICE_UNAVAILABLE */
    async put(session: Session, lifetime: number): Promise<void> {
      const { ticket } = session;
      if (ticket === undefined || lifetime <= 0) return;
      const value = encryptor.encrypt(JSON.stringify(session), ticket);
      await link.runRequired((redis) => redis.set(nameOf(ticket), value, 'PX', Math.ceil(lifetime)));
    },
    /** Undefined if the session was removed or has expired. @throws AppError SERVICE_UNAVAILABLE */
    async get(ticket: string): Promise<Session | undefined> {
      const value = await link.runRequired((redis) => redis.get(nameOf(ticket)));
      const text = value === null ? undefined : encryptor.decrypt(value, ticket);
      return text === undefined ? undefined : parseSession(text);
    },
    /** If Redis is unavailable, the entry expires by itself. */
    async remove(ticket: string): Promise<void> {
      await link.run(0, (redis) => redis.del(nameOf(ticket)));
    },
  };
}
