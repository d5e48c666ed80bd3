import pLimit from 'p-limit';
import { pictureKeyOf } from '../../../shared/media.ts';
import { openThread } from '../files/media/thread.ts';
import { refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { readPictureRows } from './store.ts';
import type { ReadText, TextTask } from './text-worker.ts';

/** What reading a text may take. */
type ReadLimits = { milliseconds: number; maxDepth: number };

/** A text that is saved: the longest ordinary one takes some 30 ms of processor time, and has some ten levels. */
const SAVED: ReadLimits = { milliseconds: 1000, maxDepth: 100 };
/** A stored text: more, so that what was saved can be read, on a slower machine and with less of the stack too. */
const STORED: ReadLimits = { milliseconds: 3000, maxDepth: Number.POSITIVE_INFINITY };
const MEMORY_LIMIT = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 };

/** Reads texts of articles, one at a time, outside of the main thread. */
export type Texts = {
  /** @throws VALIDATION_FAILED at the pointer, for a text that takes too long or is nested too deeply */
  read(text: string, pointer: string): Promise<ReadText>;
  /** The same before it is saved, with less time and nesting. */
  check(text: string, pointer: string): Promise<ReadText>;
  close(): Promise<void>;
};

type Options = { db: Db; pictureOrigins: readonly string[]; onLateFailure?: (error: unknown) => void };

export function openTexts({ db, pictureOrigins, onLateFailure }: Options): Texts {
  const oneAtATime = pLimit(1);
  const thread = openThread<TextTask, ReadText | undefined>({
    module: new URL('text-worker.ts', import.meta.url),
    task: 'readText',
    workLimit: STORED.milliseconds,
    memoryLimit: MEMORY_LIMIT,
    onLateFailure,
  });
  async function readWithin(
    { milliseconds, maxDepth }: ReadLimits,
    text: string,
    pointer: string,
  ): Promise<ReadText> {
    const pictures = await readPictureRows(db, picturesIn([text]));
    const task = { text, pictures, pictureOrigins, maxDepth };
    const worked = await oneAtATime(() => thread.run(task, undefined, milliseconds));
    const found = 'answer' in worked ? worked.answer : undefined;
    if (!found) throw refusedAt(pointer, 'is nested too deeply');
    return found;
  }
  return {
    read: (text, pointer) => readWithin(STORED, text, pointer),
    check: (text, pointer) => readWithin(SAVED, text, pointer),
    close: () => thread.close(),
  };
}

/** Finds the keys of stored pictures in texts, without duplicates. */
export function picturesIn(texts: readonly string[]): string[] {
  const addresses = texts.flatMap((text) => text.match(/\/api\/cmt\/media\/[\w-]+\.webp/g) ?? []);
  return [...new Set(addresses.flatMap((address) => pictureKeyOf(address) ?? []))];
}
