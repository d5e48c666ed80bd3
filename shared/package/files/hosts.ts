import { covers, type DomainPattern, readDomain } from '../manifest/domain-pattern.ts';

const ADDRESS = /(?:https?|wss?):\/\/(?<host>\[[0-9a-f:.]{2,45}\]|[\p{L}\p{N}_-][\p{L}\p{N}._-]{0,252})/giu;
const LINKED = /(?:src|href|action)\s{0,4}=\s{0,4}["']?\/\/(?<host>[\p{L}\p{N}][\p{L}\p{N}._-]{0,252})/giu;

/** Names that documents carry as marks and nobody calls. */
const NEVER_CALLED: ReadonlySet<string> = new Set([
  'www.w3.org',
  'purl.org',
  'ns.adobe.com',
  'schemas.openxmlformats.org',
  'schemas.microsoft.com',
  'json-schema.org',
]);

/** Hosts of the addresses in a text, lower case, with their offsets; those made while the code runs are not seen. */
export function hostsIn(text: string): { host: string; at: number }[] {
  return [ADDRESS, LINKED].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const host = match.groups?.host?.toLowerCase() ?? '';
      return isHost(host) ? [{ host, at: match.index }] : [];
    }),
  );
}

function isHost(host: string): boolean {
  return typeof readDomain(host) !== 'string' && !NEVER_CALLED.has(host);
}

/** Tells which hosts a package declares; "*" declares all of them. */
export function declaredBy(domains: readonly string[]): (host: string) => boolean {
  if (domains.includes('*')) return () => true;
  const patterns = domains.map(readDomain).filter((read): read is DomainPattern => typeof read !== 'string');
  return (host) => patterns.some((pattern) => covers(pattern, host));
}
