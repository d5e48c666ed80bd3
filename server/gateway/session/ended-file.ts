import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';

/** An ended session, or all of one key: by the hash of its name. Times in milliseconds since 1970. */
export type EndedEntry = { hash: string; at: number; until: number };

export type EndedFile = {
  /** Resolves when the entry is durable, or when it is known that it cannot be made so, which is logged. */
  append(entry: EndedEntry): Promise<void>;
  close(): Promise<void>;
};

const LINE = /^([\w-]{43}) (\d{1,16}) (\d{1,16})$/;
/** Lines beyond twice of what matters that the file may grow to, lines written at once, and milliseconds between tries. */
const SPARE_LINES = 10_000;
const LINES_AT_ONCE = 5000;
const RETRY_EVERY = 10_000;

const lineOf = ({ hash, at, until }: EndedEntry): string => `${hash} ${at} ${until}\n`;

/** Entries in a text; what follows the last line break was cut off while it was written. */
function entriesIn(text: string): EndedEntry[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.flatMap((line) => {
    const [, hash, at, until] = LINE.exec(line) ?? [];
    return hash === undefined ? [] : [{ hash, at: Number(at), until: Number(until) }];
  });
}

/**
 * A file of lines, one for each entry, appended and made durable before anybody is told. It is written again from what
 * `live` still holds at the start, when it has grown, and after a failure; the new file takes the old one's place at once,
 * so a crash leaves one or the other. A process that ends while its successor starts writes into the successor's file.
 * @throws Error when there is a file that cannot be read: who has signed out is not known then
 */
export async function openEndedFile({
  path,
  log,
  onRead,
  live,
}: {
  path: string;
  log: FastifyBaseLogger;
  /** Told of each entry that the file holds. */
  onRead: (entry: EndedEntry) => void;
  live: () => Iterable<EndedEntry>;
}): Promise<EndedFile> {
  const waiting: { entry: EndedEntry; resolve: () => void }[] = [];
  let handle: FileHandle | undefined;
  let lines = 0;
  let linesAllowed = 0;
  let isFailing = false;
  let working: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;

  async function rewrite(): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    const draft = await open(`${path}.draft`, 'w', 0o600);
    let written = 0;
    try {
      let text = '';
      for (const entry of live()) {
        text += lineOf(entry);
        written += 1;
        if (written % LINES_AT_ONCE > 0) continue;
        await draft.appendFile(text);
        text = '';
      }
      await draft.appendFile(text);
      await draft.sync();
    } finally {
      await draft.close();
    }
    await rename(`${path}.draft`, path);
    await syncFolder(dirname(path));
    await reopen();
    lines = written;
    linesAllowed = 2 * written + SPARE_LINES;
  }
  async function reopen(): Promise<void> {
    await handle?.close();
    handle = undefined;
    handle = await open(path, 'a', 0o600);
  }
  async function appendTo(file: FileHandle, entries: readonly EndedEntry[]): Promise<void> {
    await file.appendFile(entries.map(lineOf).join(''));
    await file.datasync();
    lines += entries.length;
    const [own, current] = await Promise.all([file.stat(), stat(path).catch(() => undefined)]);
    if (current === undefined) return rewrite();
    if (current.ino === own.ino && current.dev === own.dev) return;
    await reopen();
    if (handle) await appendTo(handle, entries);
  }
  async function save(entries: readonly EndedEntry[]): Promise<void> {
    if (handle && !isFailing && lines + entries.length <= linesAllowed) await appendTo(handle, entries);
    else await rewrite();
  }

  /** Entries that come while the disk is busy are written together. */
  async function work(): Promise<void> {
    do {
      const batch = waiting.splice(0);
      try {
        await save(batch.map(({ entry }) => entry));
        if (isFailing) log.info('ended sessions are kept durably again');
        isFailing = false;
      } catch (error) {
        if (!isFailing)
          log.error({ err: error }, 'ended sessions cannot be kept: a restart would forget them');
        isFailing = true;
        retry ??= setTimeout(() => {
          retry = undefined;
          void run();
        }, RETRY_EVERY).unref();
      }
      for (const { resolve } of batch) resolve();
    } while (waiting.length > 0);
    working = undefined;
  }
  function run(): Promise<void> {
    working ??= work();
    return working;
  }

  function append(entry: EndedEntry): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ entry, resolve });
    void run();
    return promise;
  }

  const former = await readFormer(path);
  for (const entry of entriesIn(former.text)) onRead(entry);
  await run();
  // What a process that is about to end has appended to the former file in the meantime.
  const rest = former.text.slice(former.text.lastIndexOf('\n') + 1) + (await former.readOn());
  for (const entry of entriesIn(rest)) {
    onRead(entry);
    await append(entry);
  }

  return {
    append,
    async close() {
      clearTimeout(retry);
      await working;
      await handle?.close();
      handle = undefined;
    },
  };
}

/** What the file holds; `readOn` reads, once, what is appended after that. */
async function readFormer(path: string): Promise<{ text: string; readOn: () => Promise<string> }> {
  try {
    const file = await open(path, 'r');
    const text = await file.readFile('utf8');
    return { text, readOn: () => file.readFile('utf8').finally(() => file.close()) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { text: '', readOn: async () => '' };
    throw new Error(`${path} cannot be read`, { cause: error });
  }
}

/** Makes the renaming of a file in it durable. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
