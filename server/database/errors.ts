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

/** Why the database cannot do what it was asked, though nothing was wrong with that. */
export type DatabaseErrorCode = 'DATABASE_UNAVAILABLE' | 'DATABASE_FULL';
export type DatabaseError = Error & { code: DatabaseErrorCode };

const MESSAGES: Readonly<Record<DatabaseErrorCode, string>> = {
  DATABASE_UNAVAILABLE: 'The database cannot be used now',
  DATABASE_FULL: 'The database has no space left',
};

/** An error that says so in one line, with its cause. */
export function databaseError(code: DatabaseErrorCode, cause: unknown): DatabaseError {
  return Object.assign(new Error(`${MESSAGES[code]} (${reason(cause)}).`, { cause }), { code });
}

export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && 'code' in error && Object.hasOwn(MESSAGES, String(error.code));
}

/** An error of several addresses has no words of its own. */
function reason(cause: unknown): string {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error ? first.message : String(first);
}
