import { setTimeout as delay } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';

/** Milliseconds that closing may take before the program ends all the same. */
const CLOSE_DEADLINE = 20_000;

/** What a program has started and how it ends. */
export type Closing = {
  /** Has `end` called when the program closes; what was added last ends first. */
  add(end: () => Promise<unknown>): void;
  /** From the first signal on: new work should go elsewhere. */
  isClosing(): boolean;
  /**
   * Ends everything, each once, `after` so many milliseconds in which others learn that it will. What cannot end is logged
   * and keeps nothing else from ending.
   */
  close(options?: { after?: number }): Promise<void>;
};

export function createClosing(log: Logger): Closing {
  const ends: (() => Promise<unknown>)[] = [];
  let closing: Promise<void> | undefined;

  async function endAll(after: number): Promise<void> {
    if (after > 0) await delay(after);
    for (let end = ends.pop(); end; end = ends.pop()) {
      try {
        await end();
      } catch (error) {
        log.error({ err: error }, 'a part of the program did not end as it should');
      }
    }
    await written(log);
  }
  return {
    add: (end) => void ends.push(end),
    isClosing: () => closing !== undefined,
    close({ after = 0 } = {}) {
      closing ??= endAll(after);
      return closing;
    },
  };
}

/**
 * Closes when the process is told to end, `after` so many milliseconds, or at once when an error was caught by nobody; a
 * second signal ends it at once.
 */
export function closeOnSignals(closing: Closing, log: Logger, { after = 0 } = {}): void {
  closeWithGrace({ delay: after + CLOSE_DEADLINE, logger: log }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'ended by an unforeseen error');
    else log.info({ signal }, 'closing');
    await closing.close(err ? {} : { after });
  });
}

/**
 * Waits until the log is written, or cannot be: whoever read it may be gone. What is left to the moment of the exit would
 * be tried again and again then, and the program never end.
 */
function written(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()));
}
