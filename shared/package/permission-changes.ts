import { type DomainPattern, readDomain } from './domains.ts';

/** What a version of a plugin may reach and use, and the editors it runs in. */
export type PluginRights = { domains: string[]; permissions: string[]; editors: string[] };

/** What a version has that the one before had not, what it no longer has, and what it still has. */
export type Changes = { added: string[]; removed: string[]; unchanged: string[] };

type PermissionChanges = { [Kind in keyof PluginRights]: Changes };

/**
 * Compares what two versions of a plugin ask for.
 * @param before null: there was no version, so everything is new
 */
export function permissionChanges(before: PluginRights | null, after: PluginRights): PermissionChanges {
  return {
    domains: changes(before?.domains, after.domains, coversDomain),
    permissions: changes(before?.permissions, after.permissions, isSame),
    editors: changes(before?.editors, after.editors, isSame),
  };
}

/** Whether installers of the version before are asked: a domain or a permission is new; another editor reaches nothing. */
export function asksForMore({ domains, permissions }: PermissionChanges): boolean {
  return domains.added.length > 0 || permissions.added.length > 0;
}

/**
 * Reads what a stored version asks for.
 * @param domains what the package may reach, as `ReadPackage.allowed_domains` has it
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

/** Whether a domain reaches all that another one does; what is no pattern reaches only itself. */
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

/** Their encrypted forms are reached by those that declare the others (CSP Level 3, section 6.7.2.8). */
const ENCRYPTED: Readonly<Record<string, string>> = { http: 'https', ws: 'wss' };

function coversScheme(wide: string | undefined, narrow: string | undefined): boolean {
  return wide === undefined || wide === narrow || (narrow !== undefined && ENCRYPTED[wide] === narrow);
}

function coversHost(wide: DomainPattern, narrow: DomainPattern): boolean {
  if (!wide.isWildcard) return !narrow.isWildcard && wide.host === narrow.host;
  return narrow.host.endsWith(`.${wide.host}`) || (narrow.isWildcard && narrow.host === wide.host);
}

const USUAL_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ws: 80, wss: 443 };

/** Undefined: the one that the scheme has anyway. */
function portOf({ scheme = '', port }: DomainPattern): number | undefined {
  return port === USUAL_PORTS[scheme] ? undefined : port;
}

/** What a server may read as another path. */
const AMBIGUOUS = /\/\.|%/;

/** A path that ends with a slash stands for everything below it. */
function coversPath(wide: string | undefined, narrow: string | undefined): boolean {
  if (wide === undefined || wide === '/' || wide === narrow) return true;
  if (narrow === undefined || AMBIGUOUS.test(narrow)) return false;
  return wide.endsWith('/') && narrow.startsWith(wide);
}
