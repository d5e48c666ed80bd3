import { channel } from 'node:diagnostics_channel';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { startError } from './errors.ts';
import { poolWithTimeout } from './query.ts';

/** What the database layer needs of a logger; every pino and Fastify logger fits. */
export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

export type Pool = pg.Pool;

/** What an app asks of its connections. */
interface PoolOptions {
  /** Most connections at a time; 10 when not given. */
  max?: number;
  /** Longest time that one statement may take, in milliseconds; 15,000 when not given. */
  statementTimeoutMs?: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** The app's own schema; names without a schema mean this one, then `public`. */
  schema: string;
  log: Log;
}

const DEFAULT_MAX = 10;
const DEFAULT_STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Longer than a statement may take, so that a server that still answers can say so itself. */
const TIMEOUT_MS = 20_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;
/** What is asked for sits in memory: an index is worth its jumps, also on a server that was set up for turning disks. */
const RANDOM_PAGE_COST = 1.1;
const SCHEMA_NAME = /^[a-z][a-z0-9_]*$/;

/**
 * Opens a pool whose connections work in the app's schema, in UTC. Nothing is connected yet.
 *
 * Values arrive as: `int8` a number (a RangeError beyond 2^53 rather than a wrong digit), `timestamptz` a Date,
 * `date` its text `YYYY-MM-DD`, `numeric` its text, `jsonb` parsed.
 *
 * @throws start error when the address is no PostgreSQL URL
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
  // One that is lost in use tells so by its next query; without this it would end the program.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Told of every query that has ended, as Kysely's LogEvent, from pools opened while somebody listens. */
export const QUERY_CHANNEL = 'plugin-square.query';
const queries = channel(QUERY_CHANNEL);

/**
 * Typed queries on a pool. `destroy` ends the pool. What the database cannot do for reasons of its own is thrown as a
 * DatabaseError (errors.ts), at the latest after `timeoutMs` milliseconds; 0 waits for any query to end.
 */
export function openKysely<DB>(pool: Pool, { timeoutMs = TIMEOUT_MS } = {}): Kysely<DB> {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: poolWithTimeout(pool, timeoutMs) }),
    ...(queries.hasSubscribers && { log: (event) => queries.publish(event) }),
  });
}

/** Settings travel with the connection itself, so they hold from its first statement and cost no round trip. */
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
