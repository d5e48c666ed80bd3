const NOT_IN_LINKS = /[\s\\\p{Cc}\p{Cs}]/u;
const WEB_ADDRESS = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i;
const SITE = 'http://site.invalid';

/**
 * Normalises a link from this site to an http(s) address or a page of this site. Null for anything
 * else: other schemes, addresses with credentials, `//host`, and texts that browsers treat like these.
 */
export function siteLink(text: string): string | null {
  const link = text.trim();
  if (NOT_IN_LINKS.test(link)) return null;
  if (link.startsWith('/')) return ownPath(link);
  return WEB_ADDRESS.test(link) && URL.canParse(link) ? new URL(link).href : null;
}

/** Normalises an address of https; null for anything else. */
export function secureLink(text: string): string | null {
  const link = siteLink(text);
  return link?.startsWith('https://') ? link : null;
}

/** Dot segments can result in a path with two leading slashes, which browsers treat as a host. */
function ownPath(link: string): string | null {
  if (link.startsWith('//') || !URL.canParse(link, SITE)) return null;
  const { origin, pathname, search, hash } = new URL(link, SITE);
  return origin === SITE && !pathname.startsWith('//') ? pathname + search + hash : null;
}
