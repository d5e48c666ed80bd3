import pg from 'pg';
import { type DatabaseError, type DatabaseErrorCode, databaseError } from './database-error.ts';

/**
 * What a server says of its own state (PostgreSQL, appendix A): it ends, starts, recovers, has no place for one more, took
 * too long, or has become another's read-only copy.
 */
const SERVER_CODES: Readonly<Record<string, DatabaseErrorCode>> = {
  '25006': 'DATABASE_UNAVAILABLE',
  '25P03': 'DATABASE_UNAVAILABLE',
  '53100': 'DATABASE_FULL',
  '53300': 'DATABASE_UNAVAILABLE',
  '57014': 'DATABASE_UNAVAILABLE',
  '57P01': 'DATABASE_UNAVAILABLE',
  '57P02': 'DATABASE_UNAVAILABLE',
  '57P03': 'DATABASE_UNAVAILABLE',
  '57P05': 'DATABASE_UNAVAILABLE',
};
const CONNECTION_EXCEPTION = /^08/;

/** What Node and the driver throw when a connection fails; what the driver cannot translate has names of its own. */
const CONNECTION_ERRORS: ReadonlySet<string> = new Set(['Error', 'AggregateError']);

/** A failed query as a fault of the database, or undefined when the query is to blame. */
export function queryError(error: unknown): DatabaseError | undefined {
  const code = error instanceof pg.DatabaseError ? serverErrorCode(error) : connectionErrorCode(error);
  return code && databaseError(code, error);
}

function serverErrorCode({ code = '' }: pg.DatabaseError): DatabaseErrorCode | undefined {
  return SERVER_CODES[code] ?? (CONNECTION_EXCEPTION.test(code) ? 'DATABASE_UNAVAILABLE' : undefined);
}

function connectionErrorCode(error: unknown): DatabaseErrorCode | undefined {
  return error instanceof Error && CONNECTION_ERRORS.has(error.name) ? 'DATABASE_UNAVAILABLE' : undefined;
}
