import { type DomainPattern, readDomain } from './domains.ts';

/** Domains, permissions and editors of a plugin version. */
export type PluginRights = { domains: string[]; permissions: string[]; editors: string[] };

/** Differences to the previous version. */
export type Changes = { added: string[]; removed: string[]; unchanged: string[] };

type PermissionChanges = { [Kind in keyof PluginRights]: Changes };

/**
 * Compares the rights of two versions of a plugin.
 * @param before null for a first version, whose rights are all added
 */
export function permissionChanges(before: PluginRights | null, after: PluginRights): PermissionChanges {
  return {
    domains: changes(before?.domains, after.domains, coversDomain),
    permissions: changes(before?.permissions, after.permissions, isSame),
    editors: changes(before?.editors, after.editors, isSame),
  };
}

/** Whether existing users have to confirm an update: it adds a domain or a permission. Editors grant no access. */
export function asksForMore({ domains, permissions }: PermissionChanges): boolean {
  return domains.added.length > 0 || permissions.added.length > 0;
}

/**
 * Reads the rights of a stored version.
 * @param domains `ReadPackage.allowed_domains` of the version
 */
export function rightsOf(manifest: unknown, domains: readonly string[]): PluginRights {
  const declared = typeof manifest === 'object' && manifest !== null ? manifest : {};
  return {
    domains: [...new Set(domains)],
    permissions: 'permissions' in declared ? textsOf(declared.permissions) : [],
    editors: 'editorType' in declared ? textsOf(declared.editorType) : [],
  };
}

function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return [...new Set(value.filter((one): one is string => typeof one === 'string' && one !== ''))];
}

type Covers = (wide: string, narrow: string) => boolean;

function changes(before: readonly string[] = [], after: readonly string[], covers: Covers): Changes {
  const isIn = (list: readonly string[]) => (one: string) => list.some((other) => covers(other, one));
  return {
    added: after.filter((one) => !isIn(before)(one)),
    removed: before.filter((one) => !isIn(after)(one)),
    unchanged: after.filter(isIn(before)),
  };
}

function isSame(one: string, other: string): boolean {
  return one === other;
}

/** Whether a domain pattern includes everything that another one includes; an invalid pattern includes only itself. */
function coversDomain(wide: string, narrow: string): boolean {
  if (wide === narrow || wide === '*') return true;
  const [a, b] = [readDomain(wide), readDomain(narrow)];
  if (typeof a === 'string' || typeof b === 'string') return false;
  return (
    coversScheme(a.scheme, b.scheme) &&
    coversHost(a, b) &&
    portOf(a) === portOf(b) &&
    coversPath(a.path, b.path)
  );
}

/** A declared scheme includes its encrypted form (CSP Level 3, section 6.7.2.8). */
const ENCRYPTED: Readonly<Record<string, string>> = { http: 'https', ws: 'wss' };

function coversScheme(wide: string | undefined, narrow: string | undefined): boolean {
  return wide === undefined || wide === narrow || (narrow !== undefined && ENCRYPTED[wide] === narrow);
}

function coversHost(wide: DomainPattern, narrow: DomainPattern): boolean {
  if (!wide.isWildcard) return !narrow.isWildcard && wide.host === narrow.host;
  return narrow.host.endsWith(`.${wide.host}`) || (narrow.isWildcard && narrow.host === wide.host);
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ws: 80, wss: 443 };

/** @returns undefined for the default port of the scheme */
function portOf({ scheme = '', port }: DomainPattern): number | undefined {
  return port === DEFAULT_PORTS[scheme] ? undefined : port;
}

/** Parts that a server may resolve to another path. */
const AMBIGUOUS = /\/\.|%/;

/** A path with a trailing slash includes everything below it. */
function coversPath(wide: string | undefined, narrow: string | undefined): boolean {
  if (wide === undefined || wide === '/' || wide === narrow) return true;
  if (narrow === undefined || AMBIGUOUS.test(narrow)) return false;
  return wide.endsWith('/') && narrow.startsWith(wide);
}
