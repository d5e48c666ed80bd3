import type { Browser, Received } from './browser.ts';
import { cookieHeader, send } from './browser.ts';

export type OpenIdBrowser = {
  /** Starts a sign-in at the gateway. @returns the provider's address, or the gateway's response without one */
  begin(options?: { returnTo?: string }): Promise<{ started: Received; address: URL }>;
  /** Follows the provider's pages until they redirect to the gateway. */
  follow(address: string): Promise<URL>;
  /** Signs in. @returns the gateway's last response */
  signIn(options?: { as?: string; returnTo?: string }): Promise<Received>;
  /** Confirms the provider's sign-out. @returns the address of its redirect */
  confirmSignOut(address: string): Promise<string | undefined>;
};

const HOPS = 10;

/** A provider's pages with their own cookies. */
export type ProviderPages = Pick<OpenIdBrowser, 'follow' | 'confirmSignOut'>;

/** The provider's pages in a separate browser; `publicUrl` is the site that they redirect to. */
export function providerPages(issuer: string, publicUrl: string): ProviderPages {
  const jar = new Map<string, string>();

  async function visit(address: string, form?: string): Promise<Received> {
    const { pathname, search } = new URL(address, issuer);
    const cookie = cookieHeader(jar);
    const answer = await send(issuer, pathname + search, {
      method: form === undefined ? 'GET' : 'POST',
      headers: { ...(cookie !== '' && { cookie }), ...(form !== undefined && FORM) },
      body: form,
    });
    for (const line of answer.setCookies) {
      const [pair = ''] = line.split(';', 1);
      const equals = pair.indexOf('=');
      if (equals === pair.length - 1) jar.delete(pair.slice(0, equals));
      else jar.set(pair.slice(0, equals), pair.slice(equals + 1));
    }
    return answer;
  }
  return {
    async follow(address) {
      let next = address;
      for (let hop = 0; hop < HOPS && !next.startsWith(publicUrl); hop += 1) {
        const answer = await visit(next);
        if (answer.headers.location === undefined) throw new Error(`the provider says ${answer.text}`);
        next = answer.headers.location;
      }
      return new URL(next);
    },
    async confirmSignOut(address) {
      const page = await visit(address);
      const [, action = '', xsrf = ''] = /action="([^"]+)".*value="([^"]+)"/.exec(page.text) ?? [];
      return (await visit(action, `xsrf=${xsrf}&logout=yes`)).headers.location;
    },
  };
}

/** A browser with cookies of provider and gateway. */
export function openIdBrowser(browser: Browser, issuer: string, publicUrl: string): OpenIdBrowser {
  const pages = providerPages(issuer, publicUrl);
  const begin: OpenIdBrowser['begin'] = async ({ returnTo = '/plugins/' } = {}) => {
    const started = await browser.visit(`/api/auth/login?return_to=${encodeURIComponent(returnTo)}`);
    return { started, address: new URL(started.headers.location ?? 'about:blank') };
  };
  return {
    ...pages,
    begin,
    async signIn({ as = 'ada', ...options } = {}) {
      const { address } = await begin(options);
      address.searchParams.set('login_hint', as);
      const back = await pages.follow(address.href);
      return browser.visit(back.pathname + back.search, { site: 'cross-site' });
    },
  };
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
