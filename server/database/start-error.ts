const NAME = 'StartError';

/**
 * An error that the person who starts the program can do something about: a taken port, an unwritable folder,
 * a database that cannot run here. `server/main.ts` prints its message alone, without a stack, and exits with 1.
 */
export function startError(message: string, cause?: unknown): Error {
  const error = new Error(message, { cause });
  error.name = NAME;
  return error;
}

/** Whether an error was made by {@link startError}, so that its message alone explains what to do. */
export function isStartError(error: unknown): error is Error {
  return error instanceof Error && error.name === NAME;
}

/** The system's code of an error (`EACCES`, `ENOENT`, …), or an empty string. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
