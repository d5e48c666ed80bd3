import type { RedisLink } from './link.ts';

/** Entries kept for a Redis that is away; the oldest are given up first. */
const KEPT = 100_000;

/**
 * Writes entries that end at a moment (milliseconds since 1970). What cannot be written is kept and written when Redis is
 * back: a session that was ended in the meantime must be over everywhere then.
 */
export function createSharedWrites(
  link: RedisLink,
  now: () => number,
): (name: string, value: string, until: number) => Promise<void> {
  const kept = new Map<string, { value: string; until: number }>();

  const write = (name: string, value: string, until: number): Promise<void> => {
    const life = Math.ceil(until - now());
    if (life <= 0) return Promise.resolve();
    return link.ask(
      async (redis) => {
        await redis.set(name, value, 'PX', life);
      },
      () => {
        kept.delete(name);
        kept.set(name, { value, until });
        for (const oldest of kept.keys()) {
          if (kept.size <= KEPT) break;
          kept.delete(oldest);
        }
      },
    );
  };
  link.onUp(() => {
    const waiting = [...kept];
    kept.clear();
    for (const [name, { value, until }] of waiting) void write(name, value, until);
  });
  return write;
}
