import { channel } from 'node:diagnostics_channel';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { startError } from './errors.ts';
import { poolWithTimeout } from './query.ts';

/** The part of a pino or Fastify logger that the database layer uses. */
export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

export type Pool = pg.Pool;

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
 * Opens a pool whose connections use the app's schema and UTC. It connects with the first query.
 *
 * Types of values: `int8` a number (a RangeError beyond 2^53), `timestamptz` a Date, `date` a string `YYYY-MM-DD`,
 * `numeric` a string, `jsonb` parsed.
 *
 * @throws start error when the address is not a PostgreSQL URL
 */
export function openPool(url: string, options: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: withServerOptions(url, options),
    application_name: options.applicationName,
    max: options.max ?? DEFAULT_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  });
  pool.on('error', (error) => options.log.warn({ err: error }, 'a database connection was lost'));
  // A connection that is lost in use fails its next query; without a listener the error would end the program.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Receives Kysely's LogEvent for every query, from pools that are opened while the channel has subscribers. */
export const QUERY_CHANNEL = 'plugin-square.query';
const queries = channel(QUERY_CHANNEL);

/**
 * Typed queries on a pool; `destroy` ends the pool. If the database is unavailable or full, queries throw a DatabaseError
 * (errors.ts), at the latest after `timeoutMs` milliseconds; 0 is no timeout.
 */
export function openKysely<DB>(pool: Pool, { timeoutMs = TIMEOUT_MS } = {}): Kysely<DB> {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: poolWithTimeout(pool, timeoutMs) }),
    ...(queries.hasSubscribers && { log: (event) => queries.publish(event) }),
  });
}

/** Settings are part of the connection request, so they apply from the first statement and need no round trip. */
function withServerOptions(url: string, options: PoolOptions): string {
  if (!SCHEMA_NAME.test(options.schema)) throw new TypeError(`not a schema name: ${options.schema}`);
  const address = parseAddress(url);
  const settings = {
    search_path: `${options.schema},public`,
    timezone: 'UTC',
    statement_timeout: options.statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    random_page_cost: RANDOM_PAGE_COST,
  };
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  address.searchParams.set('options', [...ours, address.searchParams.get('options') ?? ''].join(' ').trim());
  return address.href;
}

function parseAddress(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address && ['postgres:', 'postgresql:'].includes(address.protocol)) return address;
  throw startError('DATABASE_URL is not an address like postgres://user:password@host:5432/database.');
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
