import { createHash } from 'node:crypto';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { type DatabaseError, type DatabaseErrorCode, databaseError, isStartError } from './errors.ts';
import type { RoutedPool } from './route.ts';

/**
 * A pool whose queries fail with a DatabaseError (errors.ts) after `timeout` milliseconds, 0 for no timeout. The server's
 * own statement timeout does not help if the server hangs. The connection is never used again after a timeout.
 */
export function poolWithTimeout(pool: RoutedPool, timeout: number): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      const client = await connect(pool);
      return clientWithTimeout(client, { timeout, canPrepare: !pool.route.isPooled() });
    },
    end: () => pool.end(),
  };
}

/** @throws start error when the role lacks settings that a pooler demands; DatabaseError when no server can be used */
async function connect(pool: RoutedPool): Promise<pg.PoolClient> {
  const attempts = pool.route.attempts();
  const started = performance.now();
  for (;;) {
    const tried = pool.route.address();
    try {
      const client = await pool.connect();
      pool.onWait((performance.now() - started) / 1000);
      return client;
    } catch (error) {
      if (isStartError(error)) throw error;
      if (!attempts.proceed(tried, error))
        throw databaseError('DATABASE_UNAVAILABLE', attempts.reason(error));
    }
  }
}

/** The part of pg's client that is used here. */
type Client = PostgresPoolClient & { query<R>(prepared: PreparedQuery): Promise<PostgresQueryResult<R>> };

function clientWithTimeout(
  client: Client,
  { timeout, canPrepare }: { timeout: number; canPrepare: boolean },
): PostgresPoolClient {
  let lost: DatabaseError | undefined;

  async function run<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (lost) throw lost;
    try {
      const prepared = canPrepare ? preparedQuery(sql, parameters) : undefined;
      return await within(timeout, prepared ? client.query<R>(prepared) : client.query<R>(sql, parameters));
    } catch (error) {
      const failure = queryError(error);
      if (failure?.code === 'DATABASE_UNAVAILABLE') lost = failure;
      throw failure ?? error;
    }
  }
  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(statement: string | PostgresCursor<R>, parameters: readonly unknown[] = []) {
    return typeof statement === 'string' ? run<R>(statement, parameters) : client.query(statement);
  }
  return { query, release: (destroy = false) => client.release(destroy || lost !== undefined) };
}

/** @throws Error when the work takes longer than `timeout` milliseconds; 0 is no timeout */
export function within<T>(timeout: number, work: Promise<T>): Promise<T> {
  if (timeout === 0) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`timed out after ${timeout} ms`)), timeout);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/**
 * Prefix of statements that are planned once per connection. For statements whose best plan does not depend on their
 * parameters, and whose planning takes longer than their execution.
 */
export const PREPARED = '/* prepared */';

/** A prepared statement of pg; the same text has the same name on every connection. */
type PreparedQuery = { name: string; text: string; values: unknown[] };

const names = new Map<string, string>();

/** @returns undefined for a statement without the prefix PREPARED */
function preparedQuery(sql: string, values: readonly unknown[]): PreparedQuery | undefined {
  if (!sql.trimStart().startsWith(PREPARED)) return undefined;
  const name = names.get(sql) ?? createHash('sha256').update(sql).digest('hex').slice(0, 32);
  names.set(sql, name);
  return { name, text: sql, values: [...values] };
}

/**
 * Error codes (PostgreSQL, appendix A) of a server that is starting, stopping, recovering, full, read-only or out of
 * connections, and of timeouts.
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

/** Names of errors of Node and the driver when a connection fails; errors of programming have other names. */
const CONNECTION_ERRORS: ReadonlySet<string> = new Set(['Error', 'AggregateError']);

/** Converts the error of a query; undefined if the query itself is wrong. */
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
