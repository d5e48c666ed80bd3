import pLimit from 'p-limit';
import { pictureKeyOf } from '../../../shared/media.ts';
import { openThread } from '../files/media/thread.ts';
import { refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { readPictureRows } from './store.ts';
import type { ReadText, TextTask } from './text-worker.ts';

/** Milliseconds of processor time for one text; the longest ordinary one takes some 30. */
const WORK_LIMIT = 1000;
const MEMORY_LIMIT = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 };

/** Reads texts of articles, one at a time, outside of the main thread. */
export type Texts = {
  /** @throws VALIDATION_FAILED at the pointer, for a text that takes too long or is nested too deeply */
  read(text: string, pointer: string): Promise<ReadText>;
  close(): Promise<void>;
};

type Options = { db: Db; pictureOrigins: readonly string[]; onLateFailure?: (error: unknown) => void };

export function openTexts({ db, pictureOrigins, onLateFailure }: Options): Texts {
  const oneAtATime = pLimit(1);
  const thread = openThread<TextTask, ReadText | undefined>({
    module: new URL('text-worker.ts', import.meta.url),
    task: 'readText',
    workLimit: WORK_LIMIT,
    memoryLimit: MEMORY_LIMIT,
    onLateFailure,
  });
  return {
    async read(text, pointer) {
      const pictures = await readPictureRows(db, picturesIn([text]));
      const worked = await oneAtATime(() => thread.run({ text, pictures, pictureOrigins }));
      const found = 'answer' in worked ? worked.answer : undefined;
      if (!found) throw refusedAt(pointer, 'is nested too deeply');
      return found;
    },
    close: () => thread.close(),
  };
}

/** Finds the keys of stored pictures in texts, without duplicates. */
export function picturesIn(texts: readonly string[]): string[] {
  const addresses = texts.flatMap((text) => text.match(/\/api\/cmt\/media\/[\w-]+\.webp/g) ?? []);
  return [...new Set(addresses.flatMap((address) => pictureKeyOf(address) ?? []))];
}
