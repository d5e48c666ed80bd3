import type { Boot } from '../../shared/boot.ts';
import { HELP_PATH } from '../../shared/constants.ts';
import { useSite } from '../api/site-context.ts';
import { useSurroundings } from './use-surroundings.ts';

type Surrounding = Pick<Boot, 'public_url' | 'site_url' | 'own_help' | 'embedded'>;

/** Addresses of the help center, also those of a language; our own is read in the reader's, whichever it is. */
const HELP = /^\/help\/(?:\w\w\/)?$/;

/**
 * Address of a path of the wider site: a path while that site is this one, else absolute. Inside a workplace chat it
 * carries `embed=chat`, so that the next page knows where it is shown (specification section 2).
 */
export function siteAddress(path: string, surrounding: Surrounding): string {
  const { public_url, site_url, own_help, embedded } = surrounding;
  const isOurs = own_help && new URL(site_url).origin === new URL(public_url).origin;
  const address = new URL(isOurs ? path.replace(HELP, HELP_PATH) : path, site_url);
  if (embedded) address.searchParams.set('embed', 'chat');
  const { origin, pathname, search, hash, href } = address;
  return origin === new URL(public_url).origin ? pathname + search + hash : href;
}

/** siteAddress for the page on screen. */
export function useSiteAddress(): (path: string) => string {
  const { public_url, site_url, own_help } = useSite();
  const { embedded } = useSurroundings();
  return (path) => siteAddress(path, { public_url, site_url, own_help, embedded });
}
