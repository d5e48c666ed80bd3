import { hash } from 'node:crypto';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';

/** Maximum number of ended sessions; the oldest are removed first. */
const LIMIT = 1_000_000;
const PURGE_INTERVAL_MS = 60_000;
/** The file is compacted when it has twice the lines that are needed, plus these. */
const SPARE_LINES = 10_000;
const LINES_PER_WRITE = 5000;
const RETRY_INTERVAL_MS = 10_000;

/** Ended sessions by session id or `sid:`/`sub:` key. Times in milliseconds since 1970. */
export type EndedSessions = {
  /** Ends sessions of `key` that started up to `at`; stored until `until`. Resolves when durable. */
  add(key: string, at: number, until: number): Promise<void>;
  /** The latest `at` of a key; undefined if none of its sessions was ended. */
  at(key: string): number | undefined;
  close(): Promise<void>;
};

/** The key is stored as a hash, in memory and in the file. */
type Entry = { hash: string; at: number; until: number };

/** Every request looks up its own keys several times. */
const hashes = new LRUCache<string, string>({
  max: 10_000,
  memoMethod: (key) => hash('sha256', key, 'base64url'),
});
const hashOf = (key: string): string => hashes.memo(key);

/**
 * A cache whose entries expire at `until` by the wall clock; above `max` the oldest are removed first. Stale entries
 * are purged on insert because timers (`ttlAutopurge`) overflow after 24 days.
 */
export function createUntilCache<V extends { until: number }>(max: number, now: () => number) {
  const cache = new LRUCache<string, V>({ maxSize: max, perf: { now }, ttlResolution: 0 });
  let nextPurge = 0;
  return {
    set(key: string, value: V): void {
      const ttl = value.until - now();
      if (ttl > 0) cache.set(key, value, { size: 1, ttl });
      if (performance.now() < nextPurge) return;
      nextPurge = performance.now() + PURGE_INTERVAL_MS;
      cache.purgeStale();
    },
    get: (key: string) => cache.peek(key),
    /** Oldest first. */
    values: () => cache.rvalues().filter((value) => value !== undefined),
  };
}

function createMemory(now: () => number, limit: number) {
  const known = createUntilCache<Entry>(limit, now);
  /** Stores an entry and returns it merged with the existing entry of its key. */
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

/** Ended sessions in memory only. */
export function createEndedSessions(now: () => number): EndedSessions {
  const { remember, at } = createMemory(now, LIMIT);
  return {
    add: async (key, at, until) => void remember({ hash: hashOf(key), at, until }),
    at,
    close: async () => undefined,
  };
}

/**
 * Ended sessions in memory and in a file; `add` resolves after the entry is durable. The file is rewritten from memory
 * at the start, when it has grown, and after a failed write; rename is atomic, so a crash leaves either file intact. A
 * stopping process appends to the file of its successor.
 * @throws Error if the file exists and cannot be read: signed-out sessions would become valid again
 */
export async function openEndedSessions({
  path,
  log,
  now,
  limit = LIMIT,
}: {
  path: string;
  log: FastifyBaseLogger;
  now: () => number;
  limit?: number;
}): Promise<EndedSessions> {
  const { remember, at, entries } = createMemory(now, limit);
  const waiting: Entry[] = [];
  let lines = 0;
  /** The first write rewrites the file. */
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
  /** Entries that were added during a write are written together. */
  async function flush(): Promise<void> {
    try {
      await save(waiting.splice(0));
      if (isFailing) log.info('ended sessions are stored durably again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error({ err: error }, 'storing ended sessions failed: a restart would lose them');
      isFailing = true;
      retry ??= setTimeout(() => {
        retry = undefined;
        writing = writing.then(flush);
      }, RETRY_INTERVAL_MS).unref();
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
  // A stopping process may have appended to the former file in the meantime.
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

/** The entries of a text; an incomplete last line is ignored. */
function entriesIn(text: string): Entry[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.flatMap((line) => {
    const [, hash, at, until] = LINE.exec(line) ?? [];
    return hash === undefined ? [] : [{ hash, at: Number(at), until: Number(until) }];
  });
}

/** Appends again if another process replaced the file in the meantime. */
async function appendTo(path: string, entries: readonly Entry[]): Promise<void> {
  await using file = await open(path, 'a', 0o600);
  await file.appendFile(entries.map(lineOf).join(''));
  await file.datasync();
  const [own, current] = await Promise.all([file.stat(), stat(path)]);
  if (own.ino !== current.ino) await appendTo(path, entries);
}

/** Replaces the file; returns its number of lines. */
async function rewrite(path: string, entries: Iterable<Entry>): Promise<number> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  await using draft = await open(`${path}.draft`, 'w', 0o600);
  let lines = 0;
  let text = '';
  for (const entry of entries) {
    text += lineOf(entry);
    lines += 1;
    if (lines % LINES_PER_WRITE > 0) continue;
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

/** The content of the file; `readOn` reads, once, what was appended since. */
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
