import t from 'tap';
import { startGateway } from '../../support/gateway.ts';
import { ask, CALLBACK, exchange, PUBLIC_URL, testIdentity } from '../../support/identity.ts';
import { openIdBrowser } from '../../support/openid-browser.ts';
import { GATEWAY_TO_IDENTITY } from '../../support/service-keys.ts';
import { type LemonLdapClient, lemonLdapProgram, NO_LEMONLDAP, startLemonLdap } from './lemonldap.ts';

const SITE = 'http://localhost:8080';
/** Its characters are the same in Basic credentials; the library that is used for the rest encodes four of them. */
const PLAIN = 'a-secret.with_four*kinds';
/** Needs an encoding, which this server does not undo. */
const SPECIAL = 'a secret+with/characters: 100%';
const WRONG = 'CANARY-another-secret';
const gatewayClient = { redirectUri: `${SITE}/api/auth/callback` };
const identityClient = { redirectUri: `${PUBLIC_URL}/user/sso/oidc/callback` };
const CLIENTS: readonly LemonLdapClient[] = [
  { id: 'gateway', secret: PLAIN, ...gatewayClient },
  { id: 'gateway-special', secret: SPECIAL, ...gatewayClient },
  { id: 'identity-client.of_the-site', secret: PLAIN, ...identityClient },
];

const program = lemonLdapProgram();
const skip = program === undefined ? NO_LEMONLDAP : false;

t.test('LemonLDAP::NG as the provider of the gateway', { skip }, async (t) => {
  const lemon = await startLemonLdap(t, program ?? '', CLIENTS);

  async function signIn(t: Parameters<typeof startGateway>[0], settings: Record<string, string>) {
    const gateway = await startGateway(t, {
      now: Date.now,
      settings: {
        PUBLIC_URL: SITE,
        AUTH_PROVIDER: 'oidc',
        COMMUNITY_URL: 'http://community.example',
        OIDC_ISSUER: lemon.issuer,
        OIDC_CLIENT_ID: 'gateway',
        OIDC_CLIENT_SECRET: PLAIN,
        ...settings,
      },
    });
    const browser = gateway.browser();
    const { address } = await openIdBrowser(browser, lemon.issuer, SITE).begin();
    const back = await lemon.signIn(address);
    const finished = await browser.visit(back.pathname + back.search, { site: 'cross-site' });
    const { data } = (await browser.call('/api/auth/session')).json();
    return { gateway, finished, data };
  }

  for (const [title, settings, method] of [
    ['by default', {}, 'client_secret_basic'],
    ['client_secret_basic', { OIDC_CLIENT_AUTH: 'client_secret_basic' }, 'client_secret_basic'],
    ['client_secret_post', { OIDC_CLIENT_AUTH: 'client_secret_post' }, 'client_secret_post'],
    [
      'a secret that Basic would encode, by default',
      { OIDC_CLIENT_ID: 'gateway-special', OIDC_CLIENT_SECRET: SPECIAL },
      'client_secret_post',
    ],
  ] as const) {
    t.test(`signs in, ${title}`, async (t) => {
      const { finished, data } = await signIn(t, settings);
      t.equal(finished.status, 303);
      t.equal(finished.headers.location, '/plugins/');
      t.hasStrict(data, {
        signed_in: true,
        user: { user_name: 'dwho', nick_name: 'Doctor Who', email: 'dwho@badwolf.org' },
      });
      t.equal(lemon.methods().at(-1), method);
    });
  }

  for (const [method, answered] of [
    ['client_secret_basic', '401 invalid_client, challenge Basic'],
    ['client_secret_post', '400 invalid_client'],
  ] as const) {
    t.test(`a wrong secret, ${method}: told to the operator, and not as an outage`, async (t) => {
      const { gateway, finished, data } = await signIn(t, {
        OIDC_CLIENT_SECRET: WRONG,
        OIDC_CLIENT_AUTH: method,
      });
      t.equal(finished.status, 502);
      t.match(finished.text, 'login_error=SIGN_IN_MISCONFIGURED');
      t.hasStrict(data, { signed_in: false });
      const lines = gateway.lines().filter(({ code }) => code === 'SIGN_IN_MISCONFIGURED');
      t.match(lines, [
        { err: { message: `wrong client credentials: ${lemon.issuer}/oauth2/token answered ${answered}` } },
      ]);
      t.equal(lines.length, 1);
      t.notMatch(gateway.logText(), WRONG);
    });
  }
});

t.test('LemonLDAP::NG as a sign-in method of identity', { skip }, async (t) => {
  const lemon = await startLemonLdap(t, program ?? '', CLIENTS);

  async function signIn(t: Parameters<typeof testIdentity>[0], client_secret: string) {
    const identity = await testIdentity(t, {
      methods: [
        { method: 'local' },
        { method: 'oidc', issuer: lemon.issuer, client_id: 'identity-client.of_the-site', client_secret },
      ],
    });
    const { app } = identity;
    const { body } = await ask(app, 'POST /user/page/sso', {
      body: { source: 'oidc', redirect_uri: CALLBACK },
    });
    const back = await lemon.signIn(new URL(String(body.data.go_to)));
    const answer = await app.inject({
      method: 'GET',
      url: back.pathname + back.search,
      headers: { authorization: GATEWAY_TO_IDENTITY },
    });
    return { ...identity, arrived: new URL(String(answer.headers.location)) };
  }

  t.test('signs in with a secret and an id with dashes, by client_secret_basic', async (t) => {
    const { app, arrived } = await signIn(t, PLAIN);
    const { access } = await exchange(app, arrived.searchParams.get('code') ?? '');
    const { body } = await ask(app, 'GET /user/userinfo', { bearer: access });
    t.hasStrict(body.data, { user_name: 'dwho', nick_name: 'Doctor Who', email: 'dwho@badwolf.org' });
    t.equal(lemon.methods().at(-1), 'client_secret_basic');
  });

  t.test('a wrong secret is told to the operator, and not as an outage', async (t) => {
    const { arrived, logged } = await signIn(t, WRONG);
    t.strictSame(
      [arrived.pathname, arrived.searchParams.get('sso_error')],
      ['/user/login', 'SIGN_IN_MISCONFIGURED'],
    );
    t.match(
      logged(),
      `wrong client credentials: ${lemon.issuer}/oauth2/token answered 401 invalid_client, challenge Basic`,
    );
    t.notMatch(logged(), WRONG);
  });
});
