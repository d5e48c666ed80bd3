import { type Browser, loginParameters } from './browser.ts';
import { startGateway } from './gateway.ts';
import { PUBLIC_URL, signUp, testIdentity } from './identity.ts';
import { freePort } from './port.ts';
import { GATEWAY_TO_COMMUNITY, GATEWAY_TO_IDENTITY } from './service-keys.ts';

type Test = Parameters<typeof startGateway>[0];

type Setup = Parameters<typeof testIdentity>[1] & {
  settings?: Record<string, string>;
  community?: (identityUrl: string) => Promise<string>;
};

/**
 * A gateway with a real identity service, which know each other's address. `settings`: of the gateway;
 * `community`: starts that service as well, given the address of identity; the rest: what identity has besides.
 */
export async function startBoth(t: Test, { settings, community, ...more }: Setup = {}) {
  const port = await freePort();
  const identityUrl = `http://127.0.0.1:${port}`;
  const communityUrl = await community?.(identityUrl);
  const gateway = await startGateway(t, {
    settings: { PUBLIC_URL, ...settings },
    now: Date.now,
    credentials: { community: GATEWAY_TO_COMMUNITY, identity: GATEWAY_TO_IDENTITY },
    upstreams: {
      identity: identityUrl,
      ...(communityUrl !== undefined && { community: communityUrl, helpcenter: communityUrl }),
    },
  });
  const { app, db, clock, logged } = await testIdentity(t, { ...more, gatewayUrl: gateway.url });
  await app.listen({ host: '127.0.0.1', port });

  async function typeIn(browser: Browser, account: string, password: string) {
    clock.now = Date.now();
    const started = await browser.visit('/api/auth/login?return_to=%2Fplugins%2F');
    const body = JSON.stringify({ account, password, ...loginParameters(started) });
    return browser.call('/user/page/sign_in', { method: 'POST', body });
  }
  /** A browser with a User-Agent and a signed-in user. */
  async function signedIn(account: string, password: string, agent?: string): Promise<Browser> {
    const browser = gateway.browser();
    const answer = await typeIn(browser, account, password);
    const { pathname, search } = new URL(String(answer.json().data.continue_to));
    const headers = agent === undefined ? {} : { 'user-agent': agent };
    await browser.visit(pathname + search, { site: 'same-origin', headers });
    return browser;
  }
  async function newPerson(person: Parameters<typeof signUp>[1] = {}) {
    const typed = await signUp(app, person);
    const account = await db
      .selectFrom('account')
      .select('user_id')
      .where('email', '=', typed.email)
      .executeTakeFirstOrThrow();
    return { ...typed, userId: account.user_id };
  }
  return { gateway, db, clock, logged, typeIn, signedIn, newPerson };
}
