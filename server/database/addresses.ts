import { startError } from './errors.ts';

/** What a server must be to be used, by libpq's `target_session_attrs`. */
export type Target = 'any' | 'read-write' | 'primary';

const TARGETS: readonly Target[] = ['any', 'read-write', 'primary'];
/** Scheme and user, hosts, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s;

/**
 * Parses DATABASE_URL, which may hold several servers as libpq's addresses do: `//a:5432,b:5432/database`, or
 * `?host=a,b&port=5432,5433`.
 *
 * @returns an address for each server, in order. With several servers, the target is `read-write` by default
 * @throws start error when it is not such an address; the message does not contain it
 */
export function parseAddresses(url: string): { addresses: URL[]; target: Target } {
  const [, before, hosts, after] = PARTS.exec(url) ?? [];
  if (before === undefined || hosts === undefined || after === undefined) throw notAnAddress();
  const addresses = listOf(hosts)
    .map((host) => parse(before, host, after))
    .flatMap(byHostParameter);
  const isList = addresses.length > 1;
  const wanted = addresses[0]?.searchParams.get('target_session_attrs') ?? (isList ? 'read-write' : 'any');
  const target = TARGETS.find((known) => known === wanted);
  if (target === undefined)
    throw startError(`target_session_attrs in DATABASE_URL must be one of ${TARGETS.join(', ')}.`);
  for (const address of addresses) address.searchParams.delete('target_session_attrs');
  return { addresses, target };
}

/** Splits a list; no item may be empty, unless it is the only one. */
function listOf(text: string): string[] {
  const items = text.split(',');
  if (items.length > 1 && items.includes('')) throw notAnAddress();
  return items;
}

/** An address for each host of the parameter `host`, with the port at the same place in `port`, or the only one. */
function byHostParameter(address: URL): URL[] {
  const hosts = listOf(address.searchParams.get('host') ?? '');
  if (hosts.length === 1) return [address];
  const ports = listOf(address.searchParams.get('port') ?? '').filter((port) => port !== '');
  if (ports.length > 1 && ports.length !== hosts.length) throw notAnAddress();
  return hosts.map((host, index) => {
    const one = new URL(address);
    one.searchParams.set('host', host);
    const port = ports[index] ?? ports[0];
    if (port !== undefined) one.searchParams.set('port', port);
    return one;
  });
}

function parse(before: string, host: string, after: string): URL {
  // A URL with a user must have a host, even if the parameter has a folder of sockets.
  const isMissing = host === '' && before.endsWith('@');
  const url = `${before}${isMissing ? 'localhost' : host}${after}`;
  if (!URL.canParse(url)) throw notAnAddress();
  return new URL(url);
}

/** Host and port, for messages. */
export function placeOf(address: URL): string {
  const { searchParams } = address;
  const host = searchParams.get('host') ?? address.hostname;
  const port = searchParams.get('port') ?? address.port;
  return port === '' ? host : `${host}:${port}`;
}

function notAnAddress(): Error {
  return startError(
    'DATABASE_URL is not an address like postgres://user:password@host:5432/database, or with several servers ' +
      'postgres://user:password@one:5432,two:5432/database.',
  );
}
