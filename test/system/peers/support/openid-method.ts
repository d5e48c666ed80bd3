import type { MethodSettings } from '../../../../server/identity/sign-in/federation/settings-schema.ts';
import { ask, CALLBACK, PUBLIC_URL, SOME_MAIL, testIdentity } from '../../../support/identity.ts';
import { providerPages } from '../../../support/openid-browser.ts';
import { CLIENT, openIdProvider } from '../../../support/openid-provider.ts';
import { GATEWAY_TO_IDENTITY } from '../../../support/service-keys.ts';

type Test = Parameters<typeof testIdentity>[0];

export const METHODS = ['oidc', 'oauth2'] as const;
/** An identity service with the users of panva's provider. */
export async function openIdMethod(
  t: Test,
  method: (typeof METHODS)[number] = 'oidc',
  {
    change = {},
    peerTimeout,
    registered = {},
  }: { change?: object; peerTimeout?: number; registered?: Record<string, unknown> } = {},
) {
  const openid = await openIdProvider(t, PUBLIC_URL, {
    callbackPath: `/user/sso/${method}/callback`,
    groups: ['staff', 'design-admins'],
    client: registered,
  });
  await openid.start();
  const client = { client_id: CLIENT.id, client_secret: CLIENT.secret, ...change };
  const settings: MethodSettings =
    method === 'oidc'
      ? { method, issuer: openid.issuer, provider_logout: true, ...client }
      : {
          method,
          authorization_url: `${openid.issuer}/auth`,
          token_url: `${openid.issuer}/token`,
          userinfo_url: `${openid.issuer}/me`,
          scope: 'openid profile email',
          fields: { subject: 'sub', user_name: 'preferred_username' },
          ...client,
        };
  const identity = await testIdentity(t, {
    methods: [{ method: 'local' }, settings],
    mail: SOME_MAIL,
    ...(peerTimeout !== undefined && { peerTimeout }),
  });
  const { app } = identity;
  const begin = async (redirect_uri = CALLBACK) => {
    const answer = await ask(app, 'POST /user/page/sso', { body: { source: method, redirect_uri } });
    if (answer.status !== 200) throw new Error(`begin answered ${answer.status}`);
    return new URL(String(answer.body.data.go_to));
  };
  /** Signs in on the provider's pages. @returns the callback address */
  const visit = (address: URL, as = 'ada') => {
    address.searchParams.set('login_hint', as);
    return providerPages(openid.issuer, PUBLIC_URL).follow(address.href);
  };
  /** Calls the callback. @returns the resulting address */
  const back = async (address: URL) => {
    const answer = await app.inject({
      method: 'GET',
      url: address.pathname + address.search,
      headers: { authorization: GATEWAY_TO_IDENTITY },
    });
    if (answer.statusCode !== 303) throw new Error(`the way back answered ${answer.statusCode}`);
    return new URL(String(answer.headers.location));
  };
  const signIn = async (as?: string) => back(await visit(await begin(), as));
  return { identity, app, openid, begin, visit, back, signIn };
}

/** The error code in the address of the sign-in page. */
export const reason = ({ pathname, searchParams }: URL) => [pathname, searchParams.get('sso_error')];
export const REFUSED = ['/user/login', 'SSO_REFUSED'];
