import { TOTP } from 'otpauth';
import { type Browser, loginParameters, type Received } from './browser.ts';
import { startBoth } from './gateway-with-identity.ts';
import { ownAddress, PUBLIC_URL, SOME_MAIL } from './identity.ts';
import { providerPages } from './openid-browser.ts';
import { CLIENT, openIdProvider } from './openid-provider.ts';

type Test = Parameters<typeof startBoth>[0];

/** A page of the site that receives codes itself. */
export const EMBEDDED = '/plugins/embedded';
/** Period of a code of an authenticator app, in milliseconds. */
const STEP = 30_000;

export const post = (browser: Browser, path: string, body: unknown): Promise<Received> =>
  browser.call(path, { method: 'POST', body: JSON.stringify(body) });
export const pathOf = ({ pathname, search }: URL): string => pathname + search;

/** A gateway and identity with an OpenID Connect provider, which is also a document service, for linking accounts. */
export async function startBindSite(t: Test) {
  const openid = await openIdProvider(t, PUBLIC_URL, {
    callbackPath: '/user/sso/oidc/callback',
    otherPaths: ['/user/sso/docs/callback', EMBEDDED],
  });
  await openid.start();
  const client = { client_id: CLIENT.id, client_secret: CLIENT.secret };
  const { gateway, db, clock, signedIn, ...site } = await startBoth(t, {
    mail: SOME_MAIL,
    methods: [
      { method: 'local' },
      { method: 'oidc', label: 'Ada ID', issuer: openid.issuer, ...client },
      {
        method: 'oauth2',
        source: 'docs',
        authorization_url: `${openid.issuer}/auth`,
        token_url: `${openid.issuer}/token`,
        userinfo_url: `${openid.issuer}/me`,
        issuer: openid.issuer,
        scope: 'openid profile email',
        fields: { subject: 'sub' },
        document_service: { app_name: 'Tencent Docs' },
        ...client,
      },
    ],
  });
  /** Signs in as `name` on the provider's pages from the given address. @returns the callback address */
  function provedAs(name: string, begun: Received): Promise<URL> {
    const there = new URL(String(begun.json().data.go_to));
    there.searchParams.set('login_hint', name);
    return providerPages(openid.issuer, PUBLIC_URL).follow(there.href);
  }

  /** Signs in as `name` with the provider, where the user has the address `email`. @returns the final address */
  async function arrive(browser: Browser, name: string, redirectUri?: string): Promise<URL> {
    clock.now = Date.now();
    const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F');
    const begun = await post(browser, '/user/page/sso', {
      ...loginParameters(started),
      source: 'oidc',
      ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
    });
    let next = await provedAs(name, begun);
    for (let hop = 0; hop < 3; hop += 1) {
      const { headers } = await browser.visit(pathOf(next), { site: 'cross-site' });
      if (headers.location === undefined) break;
      next = new URL(headers.location, PUBLIC_URL);
    }
    return next;
  }

  /** A user with a password and a verified address. */
  async function newPerson(typed: Parameters<typeof site.newPerson>[0]) {
    const person = await site.newPerson(typed);
    await ownAddress(db, person.email);
    return person;
  }

  /** A signed-in user with a second factor; the provider has a user with the same address. */
  async function guarded(name: string) {
    const person = await newPerson({ email: `${name}@example.org` });
    const browser = await signedIn(person.email, person.password);
    const begun = await post(browser, '/user/account/second_factor/begin', {});
    const secret = String(begun.json().data.secret);
    // Codes of three periods are valid at the same time, each once and in order.
    let step = 0;
    const totp = (): string => {
      step = Math.max(step + 1, Math.floor(clock.now / STEP) - 1);
      return new TOTP({ secret }).generate({ timestamp: step * STEP });
    };
    const confirmed = await post(browser, '/user/account/second_factor/confirm', { code: totp() });
    if (confirmed.status !== 200) throw new Error(confirmed.text);
    return { ...person, browser, totp };
  }
  /** Signs a user in with a browser that has a pending bind. */
  async function signInHere(
    browser: Browser,
    { email, password, totp }: { email: string; password: string; totp?: () => string },
  ): Promise<void> {
    const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F');
    const login = loginParameters(started);
    let answer = await post(browser, '/user/page/sign_in', { account: email, password, ...login });
    if (totp) {
      const challenge = Object(answer.json().data.challenge).token;
      answer = await post(browser, '/user/page/second_factor', { challenge, code: totp(), ...login });
    }
    const next = new URL(String(answer.json().data.continue_to));
    await browser.visit(pathOf(next), { site: 'same-origin' });
  }
  const linkedTo = (userId: number) =>
    db.selectFrom('external_identity').select('subject').where('user_id', '=', userId).execute();
  return { gateway, signedIn, newPerson, guarded, arrive, provedAs, signInHere, linkedTo };
}
