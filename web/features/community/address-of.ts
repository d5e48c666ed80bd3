import { siteLink } from '../../../shared/site-link.ts';

/** Turns a path of the wider site into the address a link to it has on this page. */
export type AddressOf = (path: string) => string;

/** Where a link that a service has sent may lead, or null when it must lead nowhere. */
export function communityLink(link: string, addressOf: AddressOf): string | null {
  const checked = siteLink(link);
  return checked?.startsWith('/') ? addressOf(checked) : checked;
}
