import type { Logger } from 'pino';
import { type Config, loadConfig } from '../config.ts';
import { isDatabaseError, isStartError } from '../database/errors.ts';
import { isAppError } from '../http/errors.ts';
import { createLog } from '../http/log.ts';

export type Program = { config: Config; log: Logger; say: (line: string) => void };

/** Runs a program of an operator: what it says goes to its output, what is wrong in one line to its errors. */
export async function runProgram(
  main: (program: Program, words: readonly string[]) => Promise<void>,
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
  if (isStartError(error) || isDatabaseError(error)) return error.message;
  if (isAppError(error) && error.cause instanceof Error) return `${error.message} (${error.cause.message})`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
