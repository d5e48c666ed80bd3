import type { Db } from '../../schema.ts';
import { deleteFilling, writeFilling } from './store.ts';

/** A line for the operator: on the terminal, or in the log. */
export type Tell = (line: string) => void;

/** Whoever waits asks every few seconds; each write is a commit. */
const WRITE_AGAIN_MS = 500;
/** Lines about one work, the last of them included. */
const LINES = 5;

/** Whether the count has passed another fifth of the total. */
const isStep = (count: number, total: number): boolean =>
  Math.floor((count * LINES) / total) > Math.floor(((count - 1) * LINES) / total);

/** Counts what is done, with a line for each fifth: `Files stored: 40 of 200`. */
export function tellEachPart({ what, total, tell }: { what: string; total: number; tell: Tell }): () => void {
  let done = 0;
  return () => {
    done += 1;
    if (isStep(done, total)) tell(`${what}: ${done} of ${total}`);
  };
}

export type Filler = {
  /** Another plugin is done. */
  step(): Promise<void>;
  /** Says that it is still at work. */
  still(): Promise<void>;
  /** All are done. @param outcome for the last line */
  end(outcome?: string): Promise<void>;
};

/**
 * Shows the progress of plugins that are being added: on the pages of the catalogue, and as lines for the operator.
 * @param what names the source in these lines
 * @param now milliseconds since 1970
 */
export async function startFilling(
  db: Db,
  { what, total, now, tell }: { what: string; total: number; now: () => number; tell: Tell },
): Promise<Filler> {
  let done = 0;
  let writtenAt = Number.NEGATIVE_INFINITY;
  const still = async () => {
    if (now() - writtenAt < WRITE_AGAIN_MS) return;
    writtenAt = now();
    await writeFilling(db, { done, total });
  };
  const line = (): string => `${what}: ${done} of ${total} plugins`;
  await still();
  tell(line());
  return {
    still,
    async step() {
      done += 1;
      await still();
      if (done < total && isStep(done, total)) tell(line());
    },
    async end(outcome = 'complete') {
      await deleteFilling(db);
      tell(`${line()}, ${outcome}`);
    },
  };
}
