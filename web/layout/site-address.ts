import type { Boot } from '../../shared/boot.ts';
import { useSite } from '../api/site-context.ts';
import { useSurroundings } from './use-surroundings.ts';

type Surrounding = Pick<Boot, 'public_url' | 'site_url' | 'embedded'>;

/**
 * Address of a path of the wider site: a path while that site is this one, else absolute. Inside a workplace chat it
 * carries `embed=chat`, so that the next page knows where it is shown (specification section 2).
 */
export function siteAddress(path: string, { public_url, site_url, embedded }: Surrounding): string {
  const address = new URL(path, site_url);
  if (embedded) address.searchParams.set('embed', 'chat');
  const { origin, pathname, search, hash, href } = address;
  return origin === new URL(public_url).origin ? pathname + search + hash : href;
}

/** siteAddress for the page on screen. */
export function useSiteAddress(): (path: string) => string {
  const { public_url, site_url } = useSite();
  const { embedded } = useSurroundings();
  return (path) => siteAddress(path, { public_url, site_url, embedded });
}
