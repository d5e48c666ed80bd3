/** Allowed origins: this site, the wider site if there is one, and the login page. */
export type SiteOrigins = { public_url: string; site_url?: string; login_origin: string };

/**
 * Target after binding: an address of this site, of the wider site, or of the login host. Undefined for all others,
 * which would be open redirects, and for API calls of this site.
 */
export function onwardAddress(mainUrl: string | undefined, site: SiteOrigins): string | undefined {
  if (mainUrl === undefined || !URL.canParse(mainUrl, site.public_url)) return undefined;
  const url = new URL(mainUrl, site.public_url);
  const { public_url, site_url = public_url, login_origin } = site;
  const origins = [public_url, site_url, login_origin].map((known) => new URL(known).origin);
  // A blob URL has the origin of the page that created it.
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlain && origins.includes(url.origin) && !isCall(url.pathname) ? url.href : undefined;
}

/** Whether the decoded path is an API call, which may have effects instead of showing a page. */
function isCall(pathname: string): boolean {
  try {
    return decodeURIComponent(pathname).toLowerCase().startsWith('/api/');
  } catch {
    return true;
  }
}
