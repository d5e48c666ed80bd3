import type { Browser, Received } from './browser.ts';
import { cookieHeader, send } from './browser.ts';

export type OpenIdBrowser = {
  /** Begins a sign-in at the gateway; answers the provider's address, or the gateway's answer when it gave none. */
  begin(options?: { returnTo?: string }): Promise<{ started: Received; address: URL }>;
  /** Follows an address of the provider through its pages until it leads back to the gateway. */
  follow(address: string): Promise<URL>;
  /** The whole sign-in; answers the gateway's last answer. */
  signIn(options?: { as?: string; returnTo?: string }): Promise<Received>;
  /** Goes to the provider's sign-out, confirms it, and answers where that leads. */
  confirmSignOut(address: string): Promise<string | undefined>;
};

const HOPS = 10;

/** What a person sees of a provider, with cookies of its own. */
export type ProviderPages = Pick<OpenIdBrowser, 'follow' | 'confirmSignOut'>;

/** The provider's pages in a browser of their own; `publicUrl` is where they lead back to. */
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

/** A browser with cookies at the provider as well as at the gateway. */
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
