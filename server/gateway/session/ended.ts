import { hash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { type EndedEntry, openEndedFile } from './ended-file.ts';

/** Ended sessions that are remembered; the oldest are forgotten first. */
const LIMIT = 1_000_000;
const SWEEP_EVERY = 60_000;

/**
 * Which sessions have ended, by a key: the id of one, or a name by which its sign-in service finds several. Times in
 * milliseconds since 1970.
 */
export type Ended = {
  /** What began up to `at` is over; remembered until `until`. Resolves when that outlives the process, where it can. */
  add(key: string, at: number, until: number): Promise<void>;
  /** The latest `at` of a key; undefined when nothing of it has ended. */
  at(key: string): number | undefined;
  close(): Promise<void>;
};

/**
 * Remembers ended sessions, in a file as well when there is a `path`. Keys are hashed, in memory as in the file.
 * @throws Error when there is a file that cannot be read
 */
export async function openEnded({
  path,
  log,
  now,
  limit = LIMIT,
}: {
  path: string | undefined;
  log: FastifyBaseLogger;
  now: () => number;
  limit?: number;
}): Promise<Ended> {
  const ended = createEnded({ now, limit });
  if (path === undefined) return ended;
  const file = await openEndedFile({ path, log, onRead: ended.keep, live: ended.entries });
  return {
    ...ended,
    add(key, at, until) {
      return file.append(ended.keep({ hash: hashOf(key), at, until }));
    },
    close: file.close,
  };
}

const hashOf = (key: string): string => hash('sha256', key, 'base64url');

/** Ended sessions in memory alone. */
export function createEnded({ now, limit = LIMIT }: { now: () => number; limit?: number }): Ended & {
  /** Answers the entry as it is remembered: the latest of all that were told of its key. */
  keep(entry: EndedEntry): EndedEntry;
  entries(): Generator<EndedEntry>;
} {
  const known = new Map<string, { at: number; until: number }>();
  let nextSweep = 0;

  function sweep(): void {
    if (performance.now() < nextSweep) return;
    nextSweep = performance.now() + SWEEP_EVERY;
    for (const [name, { until }] of known) if (until <= now()) known.delete(name);
  }
  function keep({ hash: name, ...entry }: EndedEntry): EndedEntry {
    sweep();
    const former = known.get(name);
    const at = Math.ceil(Math.max(entry.at, former?.at ?? 0));
    const until = Math.ceil(Math.max(entry.until, former?.until ?? 0));
    known.delete(name);
    known.set(name, { at, until });
    for (const oldest of known.keys()) {
      if (known.size <= limit) break;
      known.delete(oldest);
    }
    return { hash: name, at, until };
  }
  function* entries(): Generator<EndedEntry> {
    for (const [name, { at, until }] of known) if (until > now()) yield { hash: name, at, until };
  }

  return {
    keep,
    entries,
    async add(key, at, until) {
      keep({ hash: hashOf(key), at, until });
    },
    at(key) {
      const found = known.get(hashOf(key));
      return found && found.until > now() ? found.at : undefined;
    },
    close: async () => undefined,
  };
}
