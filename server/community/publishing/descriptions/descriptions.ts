import pLimit from 'p-limit';
import type { Finding } from '../../../../shared/entities/finding.ts';
import { LANGUAGES, type Language, type Texts } from '../../../../shared/languages.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import type { ReadDescription } from '../../descriptions.ts';
import { openThread } from '../../files/media/thread.ts';
import type { DescriptionTask } from './description-worker.ts';

/** Milliseconds of processor time for all languages; an ordinary text takes some milliseconds. */
const WORK_LIMIT = 1000;
/** Levels of nesting; an ordinary text has some ten. */
const DEPTH_MAX = 100;
const MEMORY_LIMIT = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 };

/** What was read, by language, and an error for each text that is nested too deeply or takes too long. */
export type ReadTexts = {
  read: Partial<Record<Language, ReadDescription>>;
  findings: Finding[];
};

/** Reads descriptions in Markdown outside of the main thread, one at a time. */
export type Descriptions = {
  read(texts: Texts): Promise<ReadTexts>;
  close(): Promise<void>;
};

export function openDescriptions({
  onLateFailure,
}: {
  onLateFailure?: ((error: unknown) => void) | undefined;
}): Descriptions {
  const oneAtATime = pLimit(1);
  const thread = openThread<DescriptionTask, Record<string, ReadDescription | null>>({
    module: new URL('description-worker.ts', import.meta.url),
    task: 'readDescriptions',
    workLimit: WORK_LIMIT,
    memoryLimit: MEMORY_LIMIT,
    onLateFailure,
  });
  return {
    async read(texts) {
      const worked = await oneAtATime(() => thread.run({ texts, maxDepth: DEPTH_MAX }));
      const answer = 'answer' in worked ? worked.answer : {};
      const given = LANGUAGES.filter((language) => texts[language] !== undefined);
      return {
        read: Object.fromEntries(
          given.flatMap((language) => {
            const read = answer[language];
            return read ? [[language, read]] : [];
          }),
        ),
        findings: given
          .filter((language) => !answer[language])
          .map((language) => finding('MARKDOWN_TOO_DEEP', { pointer: `/description/${language}` })),
      };
    },
    close: () => thread.close(),
  };
}
