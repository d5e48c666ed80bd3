import { randomUUID } from 'node:crypto';
import type { Browser } from '../../support/browser.ts';
import type { Check, Context, Target } from '../check.ts';
import { holds, isSignedIn, same } from '../expect.ts';
import { CLIENT, type Provider, scriptProvider } from '../provider.ts';

const BACKCHANNEL = '/api/auth/backchannel-logout';
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Seconds since 1970: the year 2096. */
const IN_DECADES = 4_000_000_000;

/** With an OpenID Connect provider in place of the user service. */
export const providerChecks: readonly Check[] = [
  {
    id: 'R 9.8',
    title: 'PKCE S256 and a nonce for every sign-in; issuer, audience and nonce of the ID token are checked',
    async run(context) {
      const provider = await scriptProvider(context.identity);
      const target = await context.start({ settings: provider.settings });
      const [first, second] = [await authorization(context, target), await authorization(context, target)];
      for (const name of ['code_challenge', 'nonce']) {
        const values = [first, second].map(({ url }) => url.searchParams.get(name) ?? '');
        holds((values[0]?.length ?? 0) >= 22 && values[0] !== values[1], `${name} is fresh: ${values}`);
      }
      same(first.url.searchParams.get('code_challenge_method'), 'S256', 'code_challenge_method');
      await first.opened.visit(provider.answerTo(first.url));
      same(await isSignedIn(first.opened, context), true, 'signed in');
      same(
        provider.challenges,
        [first.url.searchParams.get('code_challenge')],
        'verifier at the token endpoint',
      );
      const soon = Math.floor(Date.now() / 1000) + 100;
      provider.claims = { nbf: soon, iat: soon };
      const ahead = await authorization(context, target);
      await ahead.opened.visit(provider.answerTo(ahead.url));
      same(await isSignedIn(ahead.opened, context), true, 'signed in by a clock that is ahead');
      for (const claims of [
        { nonce: 'another' },
        { aud: 'another' },
        { iss: 'https://evil.example' },
        { exp: 1 },
        { iat: IN_DECADES, exp: IN_DECADES + 60 },
      ]) {
        provider.claims = claims;
        const { opened, url } = await authorization(context, target);
        const answer = await opened.visit(provider.answerTo(url));
        holds(answer.status >= 400, `an ID token with ${JSON.stringify(claims)} answered ${answer.status}`);
        same(await isSignedIn(opened, context), false, `signed in with ${JSON.stringify(claims)}`);
      }
      const { opened, url } = await authorization(context, target);
      const tampered = provider.answerTo(url).replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example');
      provider.claims = {};
      holds((await opened.visit(tampered)).status >= 400, 'a response of another issuer');
    },
  },
  {
    id: 'R 9.21',
    title: 'back-channel logout: typ, events, nonce, aud, iss, iat, jti; by sid or sub',
    async run(context) {
      const provider = await scriptProvider(context.identity);
      const target = await context.start({ settings: provider.settings });
      const opened = await signedInBy(provider, context, target);
      const claims = logoutClaims(context, { sid: provider.sid });
      const wrongs: [what: string, wrong: Record<string, unknown>, typ?: string][] = [
        ['no event', { events: {} }],
        ['a nonce', { nonce: 'x' }],
        ['another audience', { aud: 'another' }],
        ['another issuer', { iss: 'https://evil.example' }],
        ['an old iat', { iat: 1000, exp: undefined }],
        ['an iat to come', { iat: IN_DECADES, exp: IN_DECADES + 60 }],
        ['no jti', { jti: undefined }],
        ['neither sid nor sub', { sid: undefined }],
        ['the type of another token', {}, 'at+jwt'],
      ];
      for (const [what, wrong, typ = 'logout+jwt'] of wrongs) {
        const token = await provider.sign({ ...claims, ...wrong }, { typ });
        same((await logOut(context, target, token)).status, 400, `a logout token with ${what}`);
        same(await isSignedIn(opened, context), true, `signed in after ${what}`);
      }
      const [head = '', payload = ''] = (await provider.sign(claims, { typ: 'logout+jwt' })).split('.');
      const forged = `${head}.${payload}.${Buffer.from('forged').toString('base64url')}`;
      same((await logOut(context, target, forged)).status, 400, 'a forged logout token');
      const token = await provider.sign(claims, { typ: 'logout+jwt' });
      const ended = await logOut(context, target, token);
      holds(ended.status === 200 || ended.status === 204, `a right logout token answered ${ended.status}`);
      holds(/no-store/.test(ended.headers['cache-control'] ?? ''), 'Cache-Control of the response');
      same(await isSignedIn(opened, context), false, 'signed in after a logout by sid');
      same((await logOut(context, target, token)).status, 400, 'the same logout token again');
      const other = await signedInBy(provider, context, target);
      const bySub = await provider.sign(logoutClaims(context, { sub: '7' }), { typ: 'JWT' });
      holds((await logOut(context, target, bySub)).status < 300, 'a logout by sub');
      same(await isSignedIn(other, context), false, 'signed in after a logout by sub');
    },
  },
];

function logoutClaims({ identity }: Context, whom: { sid?: string; sub?: string }) {
  const now = Math.floor(Date.now() / 1000);
  const common = { iss: identity.url, aud: CLIENT.id, iat: now, exp: now + 120, jti: randomUUID() };
  return { ...common, ...whom, events: { [LOGOUT_EVENT]: {} } };
}

function logOut(context: Context, target: Target, token: string) {
  const browser = context.browser(target);
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...Object.fromEntries(Object.keys(context.dialect.headers).map((name) => [name, 'none'])),
  };
  const body = new URLSearchParams({ logout_token: token }).toString();
  return browser.call(BACKCHANNEL, { method: 'POST', headers, body });
}

/** Starts a sign-in at the provider. */
async function authorization(context: Context, target: Target): Promise<{ opened: Browser; url: URL }> {
  const opened = context.browser(target);
  const begun = await opened.visit(`${context.dialect.loginPath}%2Fplugins%2F`);
  const location = begun.headers.location ?? '';
  holds(
    location.startsWith(`${context.identity.url}/authorize?`),
    `a sign-in leads to ${location.slice(0, 80)}`,
  );
  return { opened, url: new URL(location) };
}

async function signedInBy(provider: Provider, context: Context, target: Target): Promise<Browser> {
  const { opened, url } = await authorization(context, target);
  await opened.visit(provider.answerTo(url));
  same(await isSignedIn(opened, context), true, 'signed in');
  return opened;
}
