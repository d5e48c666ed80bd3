import pg, { type ClientBase } from 'pg';
import { parseAddresses, placeOf, type Target } from './addresses.ts';
import { startError } from './errors.ts';

/**
 * The way to a database: which of several servers is used, and whether a pooler is between. A pooler is noticed by itself: it
 * refuses the settings of a connection request, or drops them. It may assign a server connection to each transaction, so
 * connections have no state of their own behind it: no settings, no prepared statements, no locks outside a transaction.
 */
export type Route = {
  /** Address for the next connection, with its settings unless there is a pooler. */
  address(): string;
  isPooled(): boolean;
  /**
   * Checks a new connection.
   * @throws Error when the server is not one to write on; start error when the role lacks settings behind a pooler
   */
  check(client: ClientBase): Promise<void>;
  attempts(): Attempts;
};

/** The attempts to get one connection. */
type Attempts = {
  /** Whether to try again after the attempt with the address `tried` failed. */
  proceed(tried: string, error: unknown): boolean;
  /** The cause to report: `error`, or one with the reasons of all servers. */
  reason(error: unknown): unknown;
};

/** A pool of connections, and where they lead. */
export type RoutedPool = pg.Pool & {
  route: Route;
  /** Called with the seconds until work had a connection. */
  onWait: (seconds: number) => void;
};

/** Arrives with the other settings; a custom setting is the only one that no server and no role has by itself. */
const MARK = 'plugin_square.settings';
/** The pool's own error while all of its connections are in use; it says nothing about the server. */
const ALL_IN_USE = 'timeout exceeded when trying to connect';
const PROTOCOL_VIOLATION = '08P01';

/** @throws start error when the address is not a PostgreSQL URL */
export function openRoute(
  url: string,
  { schema, settings }: { schema: string; settings: Readonly<Record<string, string>> },
): Route {
  const { addresses, target } = parseAddresses(url);
  const servers = addresses.map((address) => ({
    place: placeOf(address),
    direct: withOptions(address, { ...settings, [MARK]: 'on' }).href,
    pooled: withoutOptions(address).href,
  }));
  let current = 0;
  let isPooled = false;
  let hasTransactions = false;

  function addressOf(index: number): string {
    const server = servers[index];
    return (isPooled ? server?.pooled : server?.direct) ?? '';
  }

  async function check(client: ClientBase): Promise<void> {
    const { rows } = await client.query<Session>(SESSION, [MARK]);
    const [session] = rows;
    if (!session) throw new Error('the server did not describe the session');
    if (!FITS[target](session)) throw new Error(`the server is not ${target}`);
    if (session.has_settings) return;
    isPooled = true;
    assertRoleSettings(session, { schema, settings });
    if (!hasTransactions) await assertTransactions(client);
    hasTransactions = true;
  }

  function attempts(): Attempts {
    const reasons = new Map<string, string>();
    return {
      proceed(tried, error) {
        if (!(error instanceof Error) || error.message === ALL_IN_USE) return false;
        const index = servers.findIndex(({ direct, pooled }) => tried === direct || tried === pooled);
        if (tried === servers[index]?.direct && refusesOptions(error)) {
          isPooled = true;
          return true;
        }
        reasons.set(servers[index]?.place ?? '', error.message || error.name);
        // Another attempt may have moved on already.
        if (index === current) current = (current + 1) % servers.length;
        return reasons.size < servers.length;
      },
      reason: (error) =>
        servers.length === 1 || reasons.size === 0
          ? error
          : new Error([...reasons].map(([place, reason]) => `${place}: ${reason}`).join('; '), {
              cause: error,
            }),
    };
  }

  return { address: () => addressOf(current), isPooled: () => isPooled, check, attempts };
}

type Session = {
  has_settings: boolean;
  search_path: string;
  timezone: string;
  is_read_only: boolean;
  is_standby: boolean;
  role: string;
  database: string;
};

const SESSION = `select current_setting($1, true) is not null as has_settings,
  current_setting('search_path') as search_path, current_setting('timezone') as timezone,
  current_setting('transaction_read_only')::boolean as is_read_only, pg_is_in_recovery() as is_standby,
  current_user as role, current_database() as database`;

const FITS: Readonly<Record<Target, (session: Session) => boolean>> = {
  any: () => true,
  'read-write': ({ is_read_only }) => !is_read_only,
  primary: ({ is_standby }) => !is_standby,
};

function assertRoleSettings(
  { search_path, timezone, role, database }: Session,
  { schema, settings }: { schema: string; settings: Readonly<Record<string, string>> },
): void {
  const path = search_path.split(',').map((name) => name.trim().replaceAll('"', ''));
  if (path.includes(schema) && timezone === settings.timezone) return;
  const place = `alter role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(database)}`;
  throw startError(
    `The pooler in front of the database drops the settings of a connection, so the role needs them: ${place} set ` +
      `search_path = community, identity, public; ${place} set timezone = 'UTC'; then let the pooler connect again ` +
      '(docs/operations.md, "Behind a pooler").',
  );
}

async function assertTransactions(client: ClientBase): Promise<void> {
  try {
    await client.query('begin');
    await client.query('commit');
  } catch (error) {
    throw startError(
      `The pooler in front of the database allows no transactions (${String(error)}). Use pool_mode = transaction ` +
        '(docs/operations.md, "Behind a pooler").',
      error,
    );
  }
}

/** PgBouncer refuses `options` and every setting in it that it does not know. */
function refusesOptions(error: Error): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === PROTOCOL_VIOLATION &&
    /startup parameter/.test(error.message)
  );
}

/** Settings are part of the connection request, so they apply from the first statement and need no round trip. */
function withOptions(address: URL, settings: Readonly<Record<string, string>>): URL {
  const result = new URL(address);
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const given = address.searchParams.get('options') ?? '';
  result.searchParams.set('options', [...ours, given].join(' ').trim());
  return result;
}

function withoutOptions(address: URL): URL {
  const result = new URL(address);
  result.searchParams.delete('options');
  return result;
}
