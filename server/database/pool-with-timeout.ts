import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool } from 'pg';
import { type DatabaseError, databaseError } from './database-error.ts';
import { type PreparedQuery, preparedQuery } from './prepared.ts';
import { queryError } from './query-error.ts';

/**
 * A pool whose queries end: with an answer, or with an error of the database (database-error.ts) after `timeout` milliseconds, 0
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
