import { siteLink } from '../../../shared/site-link.ts';

/** Turns a path of the wider site into the address a link to it has on this page; undefined where it leads nowhere. */
export type AddressOf = (path: string) => string | undefined;

/** Where a link that a service has sent leads: undefined where there is no such page, null when it must not be followed. */
export function communityLink(link: string, addressOf: AddressOf): string | undefined | null {
  const checked = siteLink(link);
  return checked?.startsWith('/') ? addressOf(checked) : checked;
}
