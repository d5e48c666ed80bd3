import { setTimeout as delay } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';

/** The program exits after this time even if something has not ended. */
const CLOSE_TIMEOUT_MS = 20_000;

/** Graceful shutdown of everything that the program has started. */
export type Closing = {
  /** Calls `end` when the program closes; the callback that was added last is called first. */
  add(end: () => Promise<unknown>): void;
  /** True from the first signal; other instances should take new work. */
  isClosing(): boolean;
  /**
   * Calls each callback once, after `after` milliseconds in which load balancers notice the shutdown. A callback that fails
   * is logged, and the others are still called.
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
        log.error({ err: error }, 'shutdown step failed');
      }
    }
    await flush(log);
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
 * Closes `after` milliseconds after a signal, or immediately after an uncaught error; a second signal ends the process
 * immediately.
 */
export function closeOnSignals(closing: Closing, log: Logger, { after = 0 } = {}): void {
  closeWithGrace({ delay: after + CLOSE_TIMEOUT_MS, logger: log }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'uncaught error');
    else log.info({ signal }, 'closing');
    await closing.close(err ? {} : { after });
  });
}

/**
 * Waits until the log is written or has failed, because its reader may have exited. Otherwise pino would retry at exit and
 * the process would never end.
 */
function flush(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()));
}
