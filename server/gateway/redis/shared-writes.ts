import type { Redis } from 'ioredis';
import type { RedisLink } from './link.ts';

/** Entries kept to be told again; the oldest are given up first. */
const KEPT = 100_000;
const SWEEP_EVERY = 60_000;

/** Writes one entry; it may be repeated. */
type Write = (redis: Redis) => Promise<unknown>;

export type SharedWrites = {
  /** Writes what matters until a moment (milliseconds since 1970). */
  write(name: string, until: number, work: Write): Promise<void>;
  /** Remembers what has been written already. */
  note(name: string, until: number, work: Write): void;
};

/**
 * What this gateway has told the others, for as long as it matters. What could not be written is written when Redis can be
 * asked again; all of it when the connection was lost, since Redis may have come back empty: a session that was ended must
 * be over everywhere.
 */
export function createSharedWrites(link: RedisLink, now: () => number): SharedWrites {
  const kept = new Map<string, { until: number; work: Write; isWritten: boolean }>();
  let nextSweep = 0;

  function keep(name: string, until: number, work: Write, isWritten: boolean): void {
    const time = now();
    if (time >= nextSweep || nextSweep - time > SWEEP_EVERY) {
      nextSweep = time + SWEEP_EVERY;
      for (const [known, entry] of kept) if (entry.until <= time) kept.delete(known);
    }
    kept.delete(name);
    kept.set(name, { until, work, isWritten });
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT) break;
      kept.delete(oldest);
    }
  }
  async function write(name: string, until: number, work: Write): Promise<void> {
    if (until <= now()) return;
    const isWritten = await link.ask(
      (redis) => work(redis).then(() => true),
      () => false,
    );
    keep(name, until, work, isWritten);
  }

  link.onUp(({ wasLost }) => {
    for (const [name, { until, work, isWritten }] of [...kept]) {
      if (wasLost || !isWritten) void write(name, until, work);
    }
  });
  return { write, note: (name, until, work) => keep(name, until, work, true) };
}
