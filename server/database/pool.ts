import { channel } from 'node:diagnostics_channel';
import { Kysely, PostgresAdapter, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { poolWithTimeout, within } from './query.ts';
import { openRoute, type RoutedPool } from './route.ts';

/** The part of a pino or Fastify logger that the database layer uses. */
export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

export type Pool = RoutedPool;

interface PoolOptions {
  /** Most connections at the same time; 10 by default. */
  max?: number;
  /** Timeout of a statement in milliseconds; 15,000 by default. */
  statementTimeoutMs?: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** The app's schema, which is searched before `public`. */
  schema: string;
  log: Log;
  /** Called with the seconds until work has a connection. */
  onWait?: (seconds: number) => void;
}

const DEFAULT_MAX = 10;
const DEFAULT_STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Longer than the statement timeout, so that a server that still works reports its own timeout. */
const TIMEOUT_MS = 20_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;
/** The working set is in memory, so random access through an index is cheap even if the server is tuned for hard disks. */
const RANDOM_PAGE_COST = 1.1;
const SCHEMA_NAME = /^[a-z][a-z0-9_]*$/;

/**
 * Opens a pool whose connections use the app's schema and UTC. It connects with the first query, and works behind a pooler
 * that assigns a server connection to each transaction, such as PgBouncer (route.ts).
 *
 * Types of values: `int8` a number (a RangeError beyond 2^53), `timestamptz` a Date, `date` a string `YYYY-MM-DD`,
 * `numeric` a string, `jsonb` parsed.
 *
 * @throws start error when the address is not a PostgreSQL URL
 */
export function openPool(url: string, options: PoolOptions): Pool {
  if (!SCHEMA_NAME.test(options.schema)) throw new TypeError(`not a schema name: ${options.schema}`);
  const route = openRoute(url, { schema: options.schema, settings: settingsOf(options) });
  const config: pg.PoolConfig = {
    application_name: options.applicationName,
    max: options.max ?? DEFAULT_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
    onConnect: (client) => within(CONNECT_TIMEOUT_MS, route.check(client)),
  };
  // A getter, because the pool reads it for each connection.
  const pool = new pg.Pool(config);
  Object.defineProperty(pool.options, 'connectionString', { get: route.address, enumerable: true });
  pool.on('error', (error) => options.log.warn({ err: error }, 'a database connection was lost'));
  // A connection that is lost in use fails its next query; without a listener the error would end the program.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return Object.assign(pool, { route, onWait: options.onWait ?? (() => undefined) });
}

/**
 * Kysely's own lock of migrations belongs to the session: behind a pooler it would outlive a failed migration, whose error it
 * hides. Migrations have a lock of ours (migrate.ts).
 */
const adapter = new PostgresAdapter();
adapter.acquireMigrationLock = async () => undefined;
adapter.releaseMigrationLock = async () => undefined;

/** Receives Kysely's LogEvent for every query, from pools that are opened while the channel has subscribers. */
export const QUERY_CHANNEL = 'plugin-square.query';
const queries = channel(QUERY_CHANNEL);

/**
 * Typed queries on a pool; `destroy` ends the pool. If the database is unavailable or full, queries throw a DatabaseError
 * (errors.ts), at the latest after `timeoutMs` milliseconds; 0 is no timeout.
 */
export function openKysely<DB>(pool: Pool, { timeoutMs = TIMEOUT_MS } = {}): Kysely<DB> {
  const dialect = new PostgresDialect({ pool: poolWithTimeout(pool, timeoutMs) });
  dialect.createAdapter = () => adapter;
  return new Kysely<DB>({
    dialect,
    ...(queries.hasSubscribers && { log: (event) => queries.publish(event) }),
  });
}

function settingsOf(options: PoolOptions): Readonly<Record<string, string>> {
  return {
    search_path: `${options.schema},public`,
    timezone: 'UTC',
    statement_timeout: String(options.statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT_MS),
    idle_in_transaction_session_timeout: String(IDLE_TRANSACTION_TIMEOUT_MS),
    random_page_cost: String(RANDOM_PAGE_COST),
  };
}

type Parser = (text: string) => unknown;

const PARSERS = new Map<number, Parser>([
  [pg.types.builtins.INT8, parseInt8],
  [pg.types.builtins.DATE, (text) => text],
]);

function getTypeParser(type: number, format?: 'text' | 'binary'): Parser {
  const parser = format === 'binary' ? undefined : PARSERS.get(type);
  return parser ?? pg.types.getTypeParser(type, format);
}

function parseInt8(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`a database number is beyond 2^53: ${text}`);
}
