import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Language } from '../../../../shared/languages.ts';
import { openThread } from '../../files/media/thread.ts';
import { hasKanji } from '../search/kana.ts';
import { foldText, unspacedIn } from '../search/lexemes.ts';
import { type KeywordReadings, UNREAD } from '../search/query.ts';
import type { Word } from './read-worker.ts';
import { readingOf, readingsOfName } from './words.ts';

/** Knows how Japanese is read. Its dictionary is loaded when it is asked, and let go of some minutes later. */
export type JapaneseReader = {
  /**
   * How each name is read from each word on.
   * @throws if the dictionary cannot be asked
   */
  readNames(names: readonly string[]): Promise<string[][]>;
  /** How the kanji of a keyword are read: of a Japanese one, and none where that cannot be said soon. */
  readKeyword(keyword: string, language: Language): Promise<KeywordReadings>;
  close(): Promise<void>;
};

type Options = {
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** Milliseconds. */
  now: () => number;
  /** The module that reads. */
  module?: URL;
  /** Milliseconds after which the idle thread ends. */
  idleTime?: number;
  /** Milliseconds that a search waits for. */
  patience?: number;
};

const MODULE = new URL('read-worker.ts', import.meta.url);
const IDLE_TIME = 5 * 60_000;
/** Loading takes a second of processor time. */
const PATIENCE = 3000;
const WORK_LIMIT = 30_000;
const TIME_LIMIT = 60_000;
const MEMORY_LIMIT = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };
/** Milliseconds after which keywords are read again that could not be. */
const AGAIN = 60_000;
/** Keywords whose readings are kept in memory. */
const KEPT = 2000;

export function openJapaneseReader({
  log,
  now,
  module = MODULE,
  idleTime = IDLE_TIME,
  patience = PATIENCE,
}: Options): JapaneseReader {
  const known = new LRUCache<string, { reading: string | undefined }>({ max: KEPT });
  let failedAt: number | undefined;
  const thread = openThread<readonly string[], Word[][]>({
    module,
    task: 'readWords',
    workLimit: WORK_LIMIT,
    timeLimit: TIME_LIMIT,
    memoryLimit: MEMORY_LIMIT,
    idleTime,
  });

  async function read(texts: readonly string[]): Promise<Word[][]> {
    const worked = await thread.run(texts.map((text) => text.normalize('NFKC')));
    if ('answer' in worked) return worked.answer;
    throw new Error(`Reading Japanese takes too much ${worked.limit}.`);
  }

  async function learn(parts: readonly string[]): Promise<void> {
    try {
      for (const [index, words] of (await read(parts)).entries())
        known.set(parts[index] ?? '', { reading: readingOf(words) });
      if (failedAt !== undefined) log.info('Japanese keywords are read again');
      failedAt = undefined;
    } catch (error) {
      if (failedAt === undefined) log.warn({ err: error }, 'Japanese keywords cannot be read');
      failedAt = now();
    }
  }

  return {
    async readNames(names) {
      return (await read(names)).map(readingsOfName);
    },
    async readKeyword(keyword, language) {
      if (language !== 'ja-JP') return UNREAD;
      const parts = unspacedIn(keyword).filter(hasKanji);
      const unknown = parts.filter((part) => !known.has(part));
      const mayAsk = failedAt === undefined || now() - failedAt >= AGAIN;
      if (unknown.length > 0 && mayAsk) await within(patience, learn(unknown));
      return new Map(
        parts.flatMap((part) => {
          const reading = known.get(part)?.reading;
          return reading === undefined ? [] : [[foldText(part), reading]];
        }),
      );
    },
    close: () => thread.close(),
  };
}

/** Waits for work, but not for longer than some milliseconds. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([
    work,
    delay(milliseconds, undefined, { signal: waiting.signal }).catch(() => undefined),
  ]);
  waiting.abort();
}
