import { createHash } from 'node:crypto';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg, { type Pool } from 'pg';
import { type DatabaseError, type DatabaseErrorCode, databaseError } from './errors.ts';

/**
 * A pool whose queries end: with an answer, or with an error of the database (errors.ts) after `timeout` milliseconds, 0
 * for none. A server that stands still answers nothing, and its own limit to statements does not run then. A connection
 * on which that happened is never used again.
 */
export function poolWithTimeout(pool: Pool, timeout: number): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw databaseError('DATABASE_UNAVAILABLE', error);
      });
      return clientWithTimeout(client, timeout);
    },
    end: () => pool.end(),
  };
}

/** What of pg's client is used here. */
type Client = PostgresPoolClient & { query<R>(prepared: PreparedQuery): Promise<PostgresQueryResult<R>> };

function clientWithTimeout(client: Client, timeout: number): PostgresPoolClient {
  let lost: DatabaseError | undefined;

  async function ask<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (lost) throw lost;
    try {
      const prepared = preparedQuery(sql, parameters);
      return await within(timeout, prepared ? client.query<R>(prepared) : client.query<R>(sql, parameters));
    } catch (error) {
      const fault = queryError(error);
      if (fault?.code === 'DATABASE_UNAVAILABLE') lost = fault;
      throw fault ?? error;
    }
  }
  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(asked: string | PostgresCursor<R>, parameters: readonly unknown[] = []) {
    return typeof asked === 'string' ? ask<R>(asked, parameters) : client.query(asked);
  }
  return { query, release: (destroy = false) => client.release(destroy || lost !== undefined) };
}

function within<T>(timeout: number, work: Promise<T>): Promise<T> {
  if (timeout === 0) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeout} ms`)), timeout);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/**
 * Begins a statement that is planned once for each connection instead of each time. For statements whose best plan does
 * not depend on what is asked, and whose planning takes longer than carrying them out; all others are better off with a
 * plan of their own.
 */
export const PREPARED = '/* prepared */';

/** A statement as pg prepares it: the same text under the same name on every connection. */
type PreparedQuery = { name: string; text: string; values: unknown[] };

const names = new Map<string, string>();

/** @returns undefined for a statement that does not begin with PREPARED */
function preparedQuery(sql: string, values: readonly unknown[]): PreparedQuery | undefined {
  if (!sql.trimStart().startsWith(PREPARED)) return undefined;
  const name = names.get(sql) ?? createHash('sha256').update(sql).digest('hex').slice(0, 32);
  names.set(sql, name);
  return { name, text: sql, values: [...values] };
}

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
