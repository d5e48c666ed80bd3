/** A domain that a plugin declares; scheme, a leading wildcard, port and path are optional. */
export type DomainPattern = {
  scheme: string | undefined;
  isWildcard: boolean;
  host: string;
  port: number | undefined;
  path: string | undefined;
};

const SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'ws', 'wss']);
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}_-]{0,61}[\p{L}\p{N}\p{M}])?`;
const HOST = new RegExp(String.raw`^${LABEL}(?:\.${LABEL}){0,20}$`, 'u');
const PARTS =
  /^(?:(?<scheme>[a-z][a-z0-9+.-]*):\/\/)?(?<wildcard>\*\.)?(?<host>\[[0-9a-f:.]+\]|[^\s/:?#@*[\]\\]+)(?::(?<port>\d{1,5}))?(?<path>\/[^\s?#\\*]*)?$/iu;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const PORT_MAX = 65_535;
const LENGTH_MAX = 1000;

/** Parses a domain pattern. @returns the kind of error if it is not valid */
export function readDomain(text: string): DomainPattern | 'invalid' | 'scheme' {
  const parts = text.length <= LENGTH_MAX ? PARTS.exec(text)?.groups : undefined;
  if (!parts) return 'invalid';
  const host = (parts.host ?? '').toLowerCase();
  const scheme = parts.scheme?.toLowerCase();
  if (scheme !== undefined && !SCHEMES.has(scheme)) return 'scheme';
  const port = parts.port === undefined ? undefined : Number(parts.port);
  if (port !== undefined && port > PORT_MAX) return 'invalid';
  const isWildcard = parts.wildcard !== undefined;
  return isHost(host, isWildcard) ? { scheme, isWildcard, host, port, path: parts.path } : 'invalid';
}

function isHost(host: string, isWildcard: boolean): boolean {
  if (host.startsWith('[')) return !isWildcard && URL.canParse(`http://${host}/`);
  if (IPV4.test(host)) return !isWildcard && host.split('.').every((part) => Number(part) <= 255);
  const isNamed = host === 'localhost' || host.includes('.') || isWildcard;
  return isNamed && HOST.test(host) && host.length <= 253;
}

/** Whether a domain is an address of the computer on which the plugin runs. */
export function isLocal({ host }: Pick<DomainPattern, 'host'>): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '0.0.0.0' ||
    host === '[::1]' ||
    host === '[::]' ||
    (IPV4.test(host) && host.startsWith('127.'))
  );
}

/** Whether a pattern includes a host; a wildcard includes all subdomains, but not the domain itself. */
function covers(pattern: DomainPattern, host: string): boolean {
  return pattern.isWildcard ? host.endsWith(`.${pattern.host}`) : host === pattern.host;
}

const ADDRESS = /(?:https?|wss?):\/\/(?<host>\[[0-9a-f:.]{2,45}\]|[\p{L}\p{N}_-][\p{L}\p{N}._-]{0,252})/giu;
const LINKED = /(?:src|href|action)\s{0,4}=\s{0,4}["']?\/\/(?<host>[\p{L}\p{N}][\p{L}\p{N}._-]{0,252})/giu;

/** Hosts in identifiers of XML namespaces and JSON schemas, which are never requested. */
const NEVER_CALLED: ReadonlySet<string> = new Set([
  'www.w3.org',
  'purl.org',
  'ns.adobe.com',
  'schemas.openxmlformats.org',
  'schemas.microsoft.com',
  'json-schema.org',
]);

/** Hosts of the URLs in a text, lower case, with their offsets; URLs that code composes at run time are not found. */
export function hostsIn(text: string): { host: string; at: number }[] {
  return [ADDRESS, LINKED].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const host = match.groups?.host?.toLowerCase() ?? '';
      return isCalled(host) ? [{ host, at: match.index }] : [];
    }),
  );
}

function isCalled(host: string): boolean {
  return typeof readDomain(host) !== 'string' && !NEVER_CALLED.has(host);
}

/** Returns a function that checks whether a host is declared; "*" declares every host. */
export function declaredBy(domains: readonly string[]): (host: string) => boolean {
  if (domains.includes('*')) return () => true;
  const patterns = domains.map(readDomain).filter((pattern) => typeof pattern !== 'string');
  return (host) => patterns.some((pattern) => covers(pattern, host));
}
