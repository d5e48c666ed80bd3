const NAME = 'StartError';

/**
 * An error that the operator can fix, such as a port in use, a folder that is not writable, or a database that cannot run
 * here. `server/main.ts` prints its message without a stack, and exits with 1.
 */
export function startError(message: string, cause?: unknown): Error {
  const error = new Error(message, { cause });
  error.name = NAME;
  return error;
}

/** Whether an error was created by {@link startError}. */
export function isStartError(error: unknown): error is Error {
  return error instanceof Error && error.name === NAME;
}

/** The system's code of an error (`EACCES`, `ENOENT`, …), or an empty string. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** SQLSTATE of a failed serialization, and of a deadlock (PostgreSQL, appendix A). */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);

/** Whether a transaction lost a conflict with another one, so that repeating it may succeed. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(errorCode(error));
}

/** Reasons why the database cannot execute a correct query. */
export type DatabaseErrorCode = 'DATABASE_UNAVAILABLE' | 'DATABASE_FULL';
export type DatabaseError = Error & { code: DatabaseErrorCode };

const MESSAGES: Readonly<Record<DatabaseErrorCode, string>> = {
  DATABASE_UNAVAILABLE: 'The database cannot be used now',
  DATABASE_FULL: 'The database has no space left',
};

/** Creates an error with a one-line message that includes its cause. */
export function databaseError(code: DatabaseErrorCode, cause: unknown): DatabaseError {
  return Object.assign(new Error(`${MESSAGES[code]} (${reason(cause)}).`, { cause }), { code });
}

export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && 'code' in error && Object.hasOwn(MESSAGES, String(error.code));
}

/** One line for an error that the operator can fix or of the database, and the stack for a programming error. */
export function explainError(error: unknown): string {
  if (isStartError(error) || isDatabaseError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** An AggregateError, of several addresses, has no message. */
function reason(cause: unknown): string {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error ? first.message : String(first);
}
