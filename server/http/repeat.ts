import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

/** Work that an app does again and again. Times are in milliseconds. */
export type Repeated = {
  /** Pause after each run. */
  every: number;
  /** Pause before the first run; none by default. */
  first?: number;
  /** The pause doubles with each failed run in a row, up to this. Without it, it stays. */
  longest?: number;
  /** Whether there is a last run when the app closes. */
  onceMore?: boolean;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** Log line of the first failed run in a row. */
  failed: string | ((error: unknown) => string);
  /** Log line of the run that ends the failures. */
  recovered: string;
  /**
   * @param closing aborts when the app closes
   * @returns another pause after this run, if it has one
   */
  run(closing: AbortSignal): Promise<number | undefined>;
};

/**
 * Repeats work while the app listens, one run at a time. A failed run stops no later one. Closing the app waits for a run in
 * progress.
 */
export function repeatWhileListening(app: FastifyInstance, repeated: Repeated): void {
  const { every, first = 0, longest = every, onceMore = false, log, failed, recovered, run } = repeated;
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let failures = 0;

  /** @returns the pause after it */
  async function attempt(): Promise<number> {
    try {
      const pause = (await run(closing.signal)) ?? every;
      if (failures > 0) log.info(recovered);
      failures = 0;
      return pause;
    } catch (error) {
      if (failures === 0) log.warn({ err: error }, typeof failed === 'string' ? failed : failed(error));
      failures += 1;
      return Math.min(every * 2 ** failures, longest);
    }
  }
  async function attemptAndGoOn(): Promise<void> {
    const pause = await attempt();
    if (!closing.signal.aborted) startAfter(pause);
  }
  function startAfter(pause: number): void {
    timer = setTimeout(() => {
      running = attemptAndGoOn();
    }, pause).unref();
  }
  app.addHook('onListen', async () => startAfter(first));
  app.addHook('onClose', async () => {
    closing.abort();
    clearTimeout(timer);
    await running;
    if (onceMore) await attempt();
  });
}
