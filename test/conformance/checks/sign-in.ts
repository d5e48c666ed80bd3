import type { Check, Context } from '../check.ts';
import { holds, INSTALL, install, isSignedIn, putBack, same, sessionCookies } from '../expect.ts';

export const EXCHANGE = 'GET /user/login/code/user';

/** Return addresses that led to other sites in other products. */
export const FOREIGN_RETURNS: readonly string[] = [
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%5cevil.example',
  '/%2f/evil.example',
  '/%2f%2fevil.example',
  '/%252f%252fevil.example',
  '/\t/evil.example',
  '/%09/evil.example',
  '/\n/evil.example',
  '/%0d%0aset-cookie:a=b',
  '/.//evil.example',
  '/..//evil.example',
  '/plugins/..//..//evil.example',
  'evil.example',
  '@evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'http:evil.example',
  'https:/evil.example',
  '/plugins/%',
  ' /evil.example',
  '/\u200b/evil.example',
];

/** Login page and callback. */
export const signInChecks: readonly Check[] = [
  {
    id: 'R 9.6',
    title: 'a sign-in replaces the session',
    async run(context) {
      const opened = await context.signedIn(7);
      const former = sessionCookies(opened, context);
      await opened.signIn({ code: 'person-8' });
      holds(sessionCookies(opened, context).join() !== former.join(), 'the cookie has changed');
      context.upstream.on(`POST ${INSTALL}`, () => ({}));
      putBack(opened, former);
      same((await install(opened)).status, 401, 'a call with the former session');
    },
  },
  {
    id: 'R 9.7',
    title: 'a callback without its transaction is 400 and exchanges nothing; each is valid once',
    async run(context) {
      const { identity, browser } = context;
      const callback = await begin(context);
      same((await browser().visit(callback.address)).status, 400, 'the callback in another browser');
      const stray = await callback.opened.visit(`${callback.path}?code=person-7&nonce=x`);
      same(stray.status, 400, 'a callback without a sign-in');
      same(identity.seen(EXCHANGE).length, 0, 'codes exchanged');
      const cookies = [...callback.opened.cookies];
      same((await callback.opened.visit(callback.address)).status, 303, 'the valid callback');
      putBack(callback.opened, cookies);
      same((await callback.opened.visit(callback.address)).status, 400, 'the same callback again');
      same(identity.seen(EXCHANGE).length, 1, 'codes exchanged');
    },
  },
  {
    id: 'R 9.9',
    title: 'redirect_uri has a nonce for every sign-in, bound to the browser',
    async run(context) {
      const [first, second] = [await begin(context), await begin(context)];
      const nonces = [first, second].map(({ redirectUri }) => redirectUri.search);
      holds(nonces[0] !== nonces[1], 'two sign-ins have two nonces');
      for (const nonce of nonces) holds(nonce.length >= 22, `${nonce} is too short to be unguessable`);
      same(first.redirectUri.origin, new URL(context.target.publicUrl).origin, 'origin of redirect_uri');
      same((await second.opened.visit(first.address)).status, 400, "another browser's nonce");
      same(context.identity.seen(EXCHANGE).length, 0, 'codes exchanged');
    },
  },
  {
    id: 'R 9.10',
    title: 'no redirect to another site after a sign-in or a sign-out',
    async run(context) {
      const { browser, dialect, target } = context;
      for (const wanted of FOREIGN_RETURNS) {
        const opened = browser();
        const answer = await opened.signIn({ code: 'person-7', returnTo: wanted });
        same(
          answer.headers.location,
          '/plugins/',
          `after a sign-in that asked for ${JSON.stringify(wanted)}`,
        );
        const path = `${dialect.logoutPath}?return_to=${encodeURIComponent(wanted)}`;
        const left = await opened.call(path, { method: 'POST' });
        holds(left.status < 300, `signing out answered ${left.status}`);
        const next = String(left.json().data?.redirect_url ?? '/');
        same(new URL(next, target.publicUrl).origin, new URL(target.publicUrl).origin, 'after a sign-out');
      }
      const back = await browser().signIn({ code: 'person-7', returnTo: '/plugins/?a=1#b' });
      same(back.headers.location, '/plugins/?a=1#b', 'a page of the site');
      same(await isSignedIn(await context.signedIn(), context), true, 'signed in');
    },
  },
];

/** Starts a sign-in; returns the parameters of the login page and the callback URL. */
export async function begin(context: Context) {
  const opened = context.browser();
  const begun = await opened.visit(context.dialect.loginPath + encodeURIComponent('/plugins/'));
  const location = begun.headers.location ?? '';
  holds(URL.canParse(location), `a sign-in leads to the login page, not to ${JSON.stringify(location)}`);
  const login = new URL(location).searchParams;
  const redirectUri = new URL(login.get('redirect_uri') ?? 'http://none.example');
  const { pathname: path, search } = redirectUri;
  const address = `${path}${search}${search === '' ? '?' : '&'}code=person-7`;
  return { opened, login, redirectUri, path, address };
}
