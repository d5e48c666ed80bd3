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
