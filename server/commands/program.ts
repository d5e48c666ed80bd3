import type { Logger } from 'pino';
import { type FileStore, openFileStore } from '../community/files/media/files.ts';
import { type Config, loadConfig } from '../config.ts';
import { explainError } from '../database/errors.ts';
import { isAppError } from '../http/errors.ts';
import { createLog } from '../http/log.ts';

export type Program = { config: Config; log: Logger; say: (line: string) => void };

/** Calls `work` with the configured file store, and closes it. */
export async function withFileStore<T>(
  { config: { dataDir, s3 }, log }: Program,
  work: (files: FileStore) => Promise<T>,
): Promise<T> {
  const { files, close } = await openFileStore({ dataDir, s3, log, now: Date.now });
  return work(files).finally(close);
}

/** Runs a command for operators. Its output goes to stdout, logs and a one-line error message to stderr. */
export async function runProgram(
  main: (program: Program, args: readonly string[]) => Promise<void>,
): Promise<void> {
  try {
    const config = loadConfig();
    const log = createLog({
      level: config.logLevel ?? 'warn',
      version: config.version,
      destination: process.stderr,
    });
    const say = (line: string) => void process.stdout.write(`${line}\n`);
    await main({ config, log, say }, process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

function explain(error: unknown): string {
  if (!isAppError(error) || !(error.cause instanceof Error)) return explainError(error);
  return `${error.message} (${error.cause.message})`;
}
