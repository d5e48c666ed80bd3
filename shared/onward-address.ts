/** Where the site itself leads: its own origin, that of the wider site if there is one, and that of the login page. */
export type SiteOrigins = { public_url: string; site_url?: string; login_origin: string };

/**
 * Where to go on after binding: an address of this site, of the wider one, or of the login host. Undefined for all
 * others, so that a link to the bind page can lead nobody astray, and for the site's own calls.
 */
export function onwardAddress(mainUrl: string | undefined, site: SiteOrigins): string | undefined {
  if (mainUrl === undefined || !URL.canParse(mainUrl, site.public_url)) return undefined;
  const url = new URL(mainUrl, site.public_url);
  const { public_url, site_url = public_url, login_origin } = site;
  const origins = [public_url, site_url, login_origin].map((known) => new URL(known).origin);
  // A blob has the origin of the page that has made it.
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlain && origins.includes(url.origin) && !isCall(url.pathname) ? url.href : undefined;
}

/** Decoded as far as servers would: a call of the site changes something instead of showing a page. */
function isCall(pathname: string): boolean {
  try {
    return decodeURIComponent(pathname).toLowerCase().startsWith('/api/');
  } catch {
    return true;
  }
}
