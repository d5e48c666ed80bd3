import { LRUCache, type Perf } from 'lru-cache';
import { createEndedSessions, type EndedSessions } from './ended.ts';
import type { Session } from './session.ts';

/** Session state of one or more gateways, in memory or in Redis; hence the asynchronous calls. */
export type SharedState = {
  /** Revokes a session id: cookies with it are invalid until `until`. */
  revoke(id: string, until: number): Promise<void>;
  isRevoked(id: string): boolean | Promise<boolean>;
  /** As `isRevoked`, from the memory of this process; for the moment the response head is written. */
  isKnownRevoked(id: string): boolean;
  /** Revokes the sessions of a `sid:` or `sub:` key that started up to `at`; stored until `until`. */
  revokeAll(key: string, at: number, until: number): Promise<void>;
  /** The latest `at` of these keys, in milliseconds since 1970; 0 if there is none. */
  revokedAllAt(keys: readonly string[]): number | Promise<number>;
  /** The last renewed copy of a session known to this process. */
  newest(id: string): Session | undefined;
  /** True for the first caller only: makes a sign-in transaction one-time. */
  useOnce(value: string, until: number): Promise<boolean>;
  /**
   * Renews a session once for concurrent callers: the first runs `work`, the others share its result, and later callers
   * with an older copy get the renewed one.
   * @throws AppError SESSION_ENDED; SERVICE_UNAVAILABLE while the refresh lock cannot be taken; the errors of `work`
   */
  renewOnce(session: Session, work: (newest: Session) => Promise<Session>): Promise<Session>;
  /** False while a renewal would have to wait for Redis. */
  canRenew(): boolean;
  /**
   * A copy renewed since this one, by any gateway. Read before a session is ended because its tokens were rejected.
   * @throws AppError SERVICE_UNAVAILABLE while Redis is unavailable
   */
  newerThan(session: Session): Promise<Session | undefined>;
  /** Resolves when no renewal of this session is in progress. */
  waitForRenewal(id: string): Promise<void>;
};

/** Distinguishes session ids from `sid:` and `sub:` keys. */
const sessionKey = (id: string): string => `id:${id}`;

const USED_MAX = 200_000;
const NEWEST_MAX = 10_000;

/** The state of a single gateway. `perf`: a monotonic clock. */
export function createLocalState(
  now: () => number,
  {
    ended = createEndedSessions(now),
    perf = performance,
  }: { ended?: EndedSessions; perf?: Perf | undefined } = {},
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
    canRenew: () => true,
    async newerThan({ id, generation }) {
      const known = newest.get(id);
      return known && known.generation > generation ? known : undefined;
    },
    async waitForRenewal(id) {
      await underWay.get(id)?.catch(() => undefined);
    },
  };
}
