import { setTimeout as delay } from 'node:timers/promises';
import { createSealer } from '../../sealing/seal.ts';
import type { SharedState } from '../session/shared-state.ts';
import type { RedisLink } from './link.ts';
import { sharedName } from './names.ts';
import { createRefreshOnce } from './refresh-once.ts';
import { createSharedWrites } from './shared-writes.ts';

/** How long a sign-out waits for another gateway's refresh, and how often it looks. Milliseconds. */
const SETTLED_WITHIN = 10_000;
const LOOK_EVERY = 40;

/**
 * What gateways share, on Redis, in front of what each knows itself: `local` answers what it can, coalesces the requests
 * of this process, and is all there is while Redis cannot be asked. Tokens lie in Redis sealed only.
 */
export function createRedisState({
  link,
  local,
  keys,
  now,
}: {
  link: RedisLink;
  local: SharedState;
  /** Master keys of the sessions. */
  keys: readonly Buffer[];
  now: () => number;
}): SharedState {
  const sealer = createSealer(keys, 'shared session');
  const shared = createRefreshOnce({ link, sealer });
  const write = createSharedWrites(link, now);

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
    async revoke(id, until) {
      await local.revoke(id, until);
      await write(sharedName('revoked', id), '1', until);
      await link.ask<unknown>(
        (redis) => redis.del(sharedName('newest', id)),
        () => 0,
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
      await write(sharedName('revoked-all', key), String(at), until);
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
      return link.ask(
        async (redis) => (await redis.set(name, '1', 'PX', Math.max(1, until - now()), 'NX')) === 'OK',
        async () => {
          await write(name, '1', until);
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
