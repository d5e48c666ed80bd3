import type { Boot } from '../../shared/boot.ts';
import { BASE_PATH, HELP_PATH } from '../../shared/constants.ts';
import { useSite } from '../api/site-context.ts';
import { useClientContext } from './use-client-context.ts';

type Site = Pick<Boot, 'public_url' | 'site_url' | 'app_url' | 'own_help' | 'embedded'>;

/** The workbench of the design tool, and its home page (R 11.2). */
export const WORKBENCH_PATH = '/app';
const TOOL_HOME = '/';

/** Paths of the help center, per language too; our own uses the reader's language. */
const HELP = /^\/help\/(?:\w\w\/)?$/;

/**
 * URL of a page of the wider site: a path on the same origin, else absolute. Inside a workplace chat it carries
 * `embed=chat`, so that the next page knows its context (R 11.15).
 * @returns undefined for pages that a standalone marketplace doesn't have
 */
export function siteAddress(path: string, site: Site): string | undefined {
  const target = targetOf(path, site);
  if (target === undefined) return undefined;
  const { origin, pathname, search, hash, href } = target;
  return origin === new URL(site.public_url).origin ? pathname + search + hash : href;
}

function targetOf(
  path: string,
  { public_url, site_url, app_url, own_help, embedded }: Site,
): URL | undefined {
  const isTool = path === WORKBENCH_PATH || (path === TOOL_HOME && site_url === undefined);
  if (isTool && app_url !== undefined) return new URL(app_url);
  const base = site_url ?? public_url;
  const isOurs = new URL(base).origin === new URL(public_url).origin;
  const address = new URL(isOurs && own_help ? path.replace(HELP, HELP_PATH) : path, base);
  if (site_url === undefined && !isPage(address.pathname, own_help)) return undefined;
  if (embedded) address.searchParams.set('embed', 'chat');
  return address;
}

/** Whether this site itself has such pages. */
function isPage(pathname: string, ownHelp: boolean): boolean {
  return pathname.startsWith(BASE_PATH) || (ownHelp && pathname.startsWith(HELP_PATH));
}

/** siteAddress for the page on screen. */
export function useSiteAddress(): (path: string) => string | undefined {
  const site = useSite();
  const { embedded } = useClientContext();
  return (path) => siteAddress(path, { ...site, embedded });
}
