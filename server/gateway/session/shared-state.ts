import { LRUCache, type Perf } from 'lru-cache';
import { createEnded, type Ended } from './ended.ts';
import type { Session } from './session.ts';

/**
 * What gateways must agree on about sessions. In one process it is memory; a shared store can stand behind the same
 * calls, which is why what has to ask it is asynchronous.
 */
export type SharedState = {
  /** Ends a session id: cookies that still hold it are worth nothing until `until`. */
  revoke(id: string, until: number): Promise<void>;
  isRevoked(id: string): boolean | Promise<boolean>;
  /** What this process knows without asking, for the moment an answer's head is written. */
  isKnownRevoked(id: string): boolean;
  /**
   * Ends every session that one of these keys of its sign-in service finds (`sid:…`, `sub:…`) and that began up to `at`;
   * remembered until `until`. What begins later stays.
   */
  revokeAll(key: string, at: number, until: number): Promise<void>;
  /** The latest `at` under any of these keys, milliseconds since 1970; 0 when there is none. */
  revokedAllAt(keys: readonly string[]): number | Promise<number>;
  /** Newest copy of a session that this process knows, if newer than that of a cookie. */
  newest(id: string): Session | undefined;
  /** True for the first caller only: makes a sign-in transaction one-time. */
  useOnce(value: string, until: number): Promise<boolean>;
  /**
   * Renews a session once however many ask: the first runs `work`, the others get its outcome, and whoever comes
   * with an older copy afterwards gets the renewed one.
   * @throws AppError SESSION_ENDED; SERVICE_UNAVAILABLE while a shared store cannot say who renews; what `work` throws
   */
  renewOnce(session: Session, work: (newest: Session) => Promise<Session>): Promise<Session>;
  /** False while a renewal would have to wait for the shared store. */
  mayRenew(): boolean;
  /**
   * The copy that has been renewed since this one, wherever that was: asked before a refusal of this one is believed.
   * @throws AppError SERVICE_UNAVAILABLE while that cannot be told
   */
  newerThan(session: Session): Promise<Session | undefined>;
  /** Resolves when no renewal of this session is under way. */
  settled(id: string): Promise<void>;
};

/** Names one session among the keys of what has ended, apart from `sid:` and `sub:`. */
const sessionKey = (id: string): string => `id:${id}`;

/** One-time values and sessions of which this process knows. */
const USED_MAX = 200_000;
const NEWEST_MAX = 10_000;

/** The state of a gateway that runs alone. `perf`: a monotonic clock. */
export function createLocalState(
  now: () => number,
  { ended = createEnded(now), perf = performance }: { ended?: Ended; perf?: Perf | undefined } = {},
): SharedState {
  const used = new LRUCache<string, true>({
    maxSize: USED_MAX,
    ttlAutopurge: true,
    ttlResolution: 0,
    perf,
  });
  const newest = new LRUCache<string, Session>({ max: NEWEST_MAX });
  const underWay = new Map<string, Promise<Session>>();

  const isRevoked = (id: string): boolean => ended.at(sessionKey(id)) !== undefined;
  async function renew(session: Session, work: (newest: Session) => Promise<Session>): Promise<Session> {
    try {
      const renewed = await work(session);
      newest.set(renewed.id, renewed);
      return renewed;
    } finally {
      underWay.delete(session.id);
    }
  }
  return {
    async revoke(id, until) {
      newest.delete(id);
      await ended.add(sessionKey(id), 0, until);
    },
    isRevoked,
    isKnownRevoked: isRevoked,
    revokeAll: ended.add,
    revokedAllAt: (keys) => Math.max(0, ...keys.map((key) => ended.at(key) ?? 0)),
    newest: (id) => newest.get(id),
    async useOnce(value, until) {
      if (used.has(value)) return false;
      used.set(value, true, { size: 1, ttl: Math.max(1, until - now()) });
      return true;
    },
    renewOnce(session, work) {
      const known = newest.get(session.id);
      if (known && known.generation > session.generation) return Promise.resolve(known);
      const current = underWay.get(session.id);
      if (current) return current;
      const renewal = renew(session, work);
      underWay.set(session.id, renewal);
      return renewal;
    },
    mayRenew: () => true,
    async newerThan({ id, generation }) {
      const known = newest.get(id);
      return known && known.generation > generation ? known : undefined;
    },
    async settled(id) {
      await underWay.get(id)?.catch(() => undefined);
    },
  };
}
