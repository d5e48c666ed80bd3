import { hash } from 'node:crypto';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';

/** Ended sessions that are remembered; the oldest are forgotten first. */
const LIMIT = 1_000_000;
/** Milliseconds between two removals of what is stale. */
const PURGE_EVERY = 60_000;
/** Lines beyond twice of what matters that the file may grow to, lines written at once, and milliseconds between tries. */
const SPARE_LINES = 10_000;
const LINES_AT_ONCE = 5000;
const RETRY_EVERY = 10_000;

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

/** An ended session, or all of one key: by the hash of its name, in memory as in the file. */
type Entry = { hash: string; at: number; until: number };

/** Hashes of the keys asked for last: every request asks several times for its own. */
const hashes = new LRUCache<string, string>({
  max: 10_000,
  memoMethod: (key) => hash('sha256', key, 'base64url'),
});
const hashOf = (key: string): string => hashes.memo(key);

/**
 * A cache of what matters until a moment by the wall clock; of more than `max` the oldest go first. Timers, as
 * `ttlAutopurge` has, end after 24 days, so what is stale is purged when something is added.
 */
export function createUntilCache<V extends { until: number }>(max: number, now: () => number) {
  const cache = new LRUCache<string, V>({ maxSize: max, perf: { now }, ttlResolution: 0 });
  let nextPurge = 0;
  return {
    set(key: string, value: V): void {
      const ttl = value.until - now();
      if (ttl > 0) cache.set(key, value, { size: 1, ttl });
      if (performance.now() < nextPurge) return;
      nextPurge = performance.now() + PURGE_EVERY;
      cache.purgeStale();
    },
    get: (key: string) => cache.peek(key),
    /** The oldest first. */
    values: () => cache.rvalues().filter((value) => value !== undefined),
  };
}

function createMemory(now: () => number, limit: number) {
  const known = createUntilCache<Entry>(limit, now);
  /** Remembers an entry; answers what is remembered: the latest of all that were told of its key. */
  function remember({ hash, at, until }: Entry): Entry {
    const former = known.get(hash);
    const latest = {
      hash,
      at: Math.ceil(Math.max(at, former?.at ?? 0)),
      until: Math.ceil(Math.max(until, former?.until ?? 0)),
    };
    known.set(hash, latest);
    return latest;
  }
  return { remember, at: (key: string) => known.get(hashOf(key))?.at, entries: known.values };
}

/** Ended sessions in memory alone. */
export function createEnded(now: () => number): Ended {
  const { remember, at } = createMemory(now, LIMIT);
  return {
    add: async (key, at, until) => void remember({ hash: hashOf(key), at, until }),
    at,
    close: async () => undefined,
  };
}

/**
 * Remembers ended sessions in a file as well, each made durable before anybody is told. The file is written again from
 * what memory holds at the start, when it has grown, and after a failure; the new one takes the old one's place at once,
 * so a crash leaves one or the other. A process that ends while its successor starts writes into the successor's file.
 * @throws Error when there is a file that cannot be read: who has signed out is not known then
 */
export async function openEnded({
  path,
  log,
  now,
  limit = LIMIT,
}: {
  path: string;
  log: FastifyBaseLogger;
  now: () => number;
  limit?: number;
}): Promise<Ended> {
  const { remember, at, entries } = createMemory(now, limit);
  const waiting: Entry[] = [];
  let lines = 0;
  /** None before the file has been written in whole. */
  let linesAllowed = Number.NEGATIVE_INFINITY;
  let isFailing = false;
  let writing: Promise<void> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;

  async function save(batch: readonly Entry[]): Promise<void> {
    if (!isFailing && lines + batch.length <= linesAllowed) {
      await appendTo(path, batch);
      lines += batch.length;
      return;
    }
    lines = await rewrite(path, entries());
    linesAllowed = 2 * lines + SPARE_LINES;
  }
  /** Entries that have come while the disk was busy are written together. */
  async function flush(): Promise<void> {
    try {
      await save(waiting.splice(0));
      if (isFailing) log.info('ended sessions are kept durably again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error({ err: error }, 'ended sessions cannot be kept: a restart would forget them');
      isFailing = true;
      retry ??= setTimeout(() => {
        retry = undefined;
        writing = writing.then(flush);
      }, RETRY_EVERY).unref();
    }
  }
  function append(entry: Entry): Promise<void> {
    waiting.push(remember(entry));
    writing = writing.then(() => (waiting.length > 0 ? flush() : undefined));
    return writing;
  }

  const former = await readFormer(path);
  for (const entry of entriesIn(former.text)) remember(entry);
  await flush();
  // What a process that is about to end has appended to the former file in the meantime.
  const rest = former.text.slice(former.text.lastIndexOf('\n') + 1) + (await former.readOn());
  for (const entry of entriesIn(rest)) await append(entry);

  return {
    add: (key, at, until) => append({ hash: hashOf(key), at, until }),
    at,
    async close() {
      clearTimeout(retry);
      await writing;
    },
  };
}

const LINE = /^([\w-]{43}) (\d{1,16}) (\d{1,16})$/;
const lineOf = ({ hash, at, until }: Entry): string => `${hash} ${at} ${until}\n`;

/** Entries in a text; what follows the last line break was cut off while it was written. */
function entriesIn(text: string): Entry[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.flatMap((line) => {
    const [, hash, at, until] = LINE.exec(line) ?? [];
    return hash === undefined ? [] : [{ hash, at: Number(at), until: Number(until) }];
  });
}

/** Appends once more when another file has taken the place of the one that was opened. */
async function appendTo(path: string, entries: readonly Entry[]): Promise<void> {
  await using file = await open(path, 'a', 0o600);
  await file.appendFile(entries.map(lineOf).join(''));
  await file.datasync();
  const [own, current] = await Promise.all([file.stat(), stat(path)]);
  if (own.ino !== current.ino) await appendTo(path, entries);
}

/** Writes the file in whole; answers its number of lines. */
async function rewrite(path: string, entries: Iterable<Entry>): Promise<number> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  await using draft = await open(`${path}.draft`, 'w', 0o600);
  let lines = 0;
  let text = '';
  for (const entry of entries) {
    text += lineOf(entry);
    lines += 1;
    if (lines % LINES_AT_ONCE > 0) continue;
    await draft.appendFile(text);
    text = '';
  }
  await draft.appendFile(text);
  await draft.sync();
  await rename(`${path}.draft`, path);
  await using renamed = await open(folder, 'r');
  await renamed.sync();
  return lines;
}

/** What the file holds; `readOn` reads, once, what is appended after that. */
async function readFormer(path: string): Promise<{ text: string; readOn: () => Promise<string> }> {
  try {
    const file = await open(path, 'r');
    const text = await file.readFile('utf8').catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
    return { text, readOn: () => file.readFile('utf8').finally(() => file.close()) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { text: '', readOn: async () => '' };
    throw new Error(`${path} cannot be read`, { cause: error });
  }
}
