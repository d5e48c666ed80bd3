import type { Db } from '../../schema.ts';
import { deleteFilling, writeFilling } from './store.ts';

/** A line for the operator: on the terminal, or in the log. */
export type Tell = (line: string) => void;

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
  /** Another plugin is done, or failed. */
  step(isAdded: boolean): Promise<void>;
  /** Says that it is still at work. */
  still(): Promise<void>;
  /** All are done. @param outcome for the last line */
  end(outcome?: string): Promise<void>;
  /** It went no further; visitors are told nothing, administrators where it stopped. */
  stop(): Promise<void>;
};

/**
 * Shows the progress of plugins that are being added: on the pages of the catalogue, and as lines for the operator.
 * @param what names the source in these lines
 */
export async function startFilling(
  db: Db,
  { what, done: before, total, tell }: { what: string; done: number; total: number; tell: Tell },
): Promise<Filler> {
  let done = before;
  let failed = 0;
  const write = (isStopped = false) => writeFilling(db, { done, failed, total, is_stopped: isStopped });
  const line = (): string => `${what}: ${done} of ${total} plugins${failed > 0 ? `, ${failed} failed` : ''}`;
  await write();
  tell(line());
  return {
    async step(isAdded) {
      if (isAdded) done += 1;
      else failed += 1;
      await write();
      const count = done + failed;
      if (count < total && isStep(count, total)) tell(line());
    },
    still: () => write(),
    async end(outcome = 'complete') {
      await deleteFilling(db);
      tell(`${line()}, ${outcome}`);
    },
    async stop() {
      await write(true);
      tell(`${line()}, stopped`);
    },
  };
}
