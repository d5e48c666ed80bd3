import { createSealer } from '../../sealing/seal.ts';
import { parseSession, type Session } from '../session/session.ts';
import type { RedisLink } from './link.ts';
import { sharedName } from './scripts.ts';

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
  const sealer = createSealer(keys, 'stored session');
  return {
    async put(session, lifetime) {
      const { ticket } = session;
      if (ticket === undefined || lifetime <= 0) return;
      const value = sealer.seal(JSON.stringify(session), ticket);
      await link.demand((redis) =>
        redis.set(sharedName('session', ticket), value, 'PX', Math.ceil(lifetime)),
      );
    },
    async get(ticket) {
      const value = await link.demand((redis) => redis.get(sharedName('session', ticket)));
      const text = value === null ? undefined : sealer.open(value, ticket);
      return text === undefined ? undefined : parseSession(text);
    },
    async remove(ticket) {
      await link.ask(
        (redis) => redis.del(sharedName('session', ticket)),
        () => 0,
      );
    },
  };
}
