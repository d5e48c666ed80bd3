const NOT_IN_LINKS = /[\s\\\p{Cc}\p{Cs}]/u;
const WEB_ADDRESS = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i;
const SITE = 'http://site.invalid';

/**
 * A link that leads from this site to an http(s) address or to a page of its own, in its one spelling. Null for anything
 * else: other schemes, addresses with a name or password, `//host`, and what browsers read as one of these.
 */
export function siteLink(text: string): string | null {
  const link = text.trim();
  if (NOT_IN_LINKS.test(link)) return null;
  if (link.startsWith('/')) return ownPath(link);
  return WEB_ADDRESS.test(link) && URL.canParse(link) ? new URL(link).href : null;
}

/** Dot segments can end in a path that begins with two slashes, which is a host. */
function ownPath(link: string): string | null {
  if (link.startsWith('//') || !URL.canParse(link, SITE)) return null;
  const { origin, pathname, search, hash } = new URL(link, SITE);
  return origin === SITE && !pathname.startsWith('//') ? pathname + search + hash : null;
}
