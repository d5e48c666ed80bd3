import type { Log } from '../../server/database/pool.ts';

const silent = (): void => undefined;

/** A log for tests that expect no warnings. */
export const silentLog: Log = { info: silent, warn: silent, error: silent };

/** A log that only shows errors. */
export const stderrLog: Log = {
  info: silent,
  warn: silent,
  error: (...words: unknown[]) => void process.stderr.write(`${JSON.stringify(words)}\n`),
};
