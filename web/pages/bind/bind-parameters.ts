import type { PayloadFor } from '../../api/client.ts';
import type { Site } from '../../api/site-context.ts';
import { readParameter } from './bind-start-parameters.ts';

/** What the page was opened with (specification section 2). */
export type BindParameters = {
  /** Names the account of the third party. */
  id: string;
  /** Where to go on afterwards, as it came. */
  mainUrl: string | undefined;
  /** Folder of a document service; such a link comes from there. */
  txDocFolderId: string | undefined;
};

/** The parameters of the address; undefined when it does not say what to bind. */
export function bindParameters(query: URLSearchParams): BindParameters | undefined {
  const id = readParameter(query, 'id');
  return id === undefined
    ? undefined
    : { id, mainUrl: readParameter(query, 'mainUrl'), txDocFolderId: readParameter(query, 'txDocFolderId') };
}

/** The binding payload (specification section 7): what the link has brought. */
export function bindPayload({ id, mainUrl, txDocFolderId }: BindParameters): PayloadFor<'bindThirdParty'> {
  return {
    id,
    ...(mainUrl !== undefined && { mainUrl }),
    ...(txDocFolderId !== undefined && { txDocFolderId }),
  };
}

/**
 * Where to go on after binding: an address of this site, of the wider one, or of the login host. Undefined for all
 * others, so that a link to this page can lead nobody astray, and for the site's own calls.
 */
export function onwardAddress(
  mainUrl: string | undefined,
  site: Pick<Site, 'public_url' | 'site_url' | 'login_origin'>,
): string | undefined {
  if (mainUrl === undefined || !URL.canParse(mainUrl, site.public_url)) return undefined;
  const url = new URL(mainUrl, site.public_url);
  const origins = [site.public_url, site.site_url, site.login_origin].map((known) => new URL(known).origin);
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
