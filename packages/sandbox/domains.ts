import { PROTOCOL } from './messages.ts';

/** Domains of one package. */
const DOMAINS_MAX = 64;
const ANY = '*';

const LABEL = '[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?';
/**
 * What a manifest may declare, with a host in ASCII. No character of it ends or begins anything in a policy: no space, comma,
 * semicolon or quote.
 */
const DOMAIN = new RegExp(
  String.raw`^(?:(https?|wss?)://)?((?:\*\.)?${LABEL}(?:\.${LABEL}){0,20}|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?(/[\w.~!$&()+=:@%/-]{0,500})?$`,
);

/** The domains that the manifest of a package declares. Without a declaration it may reach any, as in the design tools. */
export function domainsOf(manifest: Readonly<Record<string, unknown>>): string[] {
  const { networkAccess } = manifest;
  const declared =
    typeof networkAccess === 'object' && networkAccess !== null && 'allowedDomains' in networkAccess
      ? networkAccess.allowedDomains
      : [ANY];
  const domains = Array.isArray(declared) ? declared.filter((domain) => typeof domain === 'string') : [];
  return domains.filter((domain) => domain !== 'none');
}

/**
 * The address of the frame document for a plugin.
 * @param document address of the frame document without its query
 * @param domains what the plugin may reach: empty for nothing, "*" for anything
 */
export function frameAddress(document: string, domains: readonly string[]): string {
  const address = new URL(document);
  address.search = '';
  address.searchParams.set('version', String(PROTOCOL));
  for (const domain of domains) address.searchParams.append('domain', inAscii(domain));
  return address.href;
}

/** Hosts in a policy are in ASCII (RFC 5890), those of a manifest need not be. */
function inAscii(domain: string): string {
  const [, before = '', host = '', after = ''] =
    /^((?:\w+:\/\/)?(?:\*\.)?)([^:/[]+)(.*)$/s.exec(domain) ?? [];
  return host !== '' && URL.canParse(`http://${host}`)
    ? before.toLowerCase() + new URL(`http://${host}`).hostname + after
    : domain;
}

/**
 * The sources that domains are in a Content-Security-Policy (CSP Level 3 section 2.3.1).
 * @returns undefined if one of them is no domain, or there are too many
 */
export function sourcesOf(domains: readonly string[]): string[] | undefined {
  if (domains.length > DOMAINS_MAX) return undefined;
  const sources = domains.map(sourcesOfDomain);
  return sources.every((list) => list !== undefined) ? [...new Set(sources.flat())] : undefined;
}

function sourcesOfDomain(domain: string): string[] | undefined {
  if (domain === ANY) return ['http:', 'https:', 'ws:', 'wss:'];
  const match = DOMAIN.exec(domain);
  if (!match) return undefined;
  const [, scheme, host = '', port, path = ''] = match;
  if (port !== undefined && Number(port) > 65_535) return undefined;
  const place = `${host}${port === undefined ? '' : `:${port}`}${path}`;
  // Without a scheme of its own a source would have that of the frame.
  return scheme === undefined ? [`https://${place}`, `wss://${place}`] : [`${scheme}://${place}`];
}
