import { once } from 'node:events';
import { createServer } from 'node:https';
import type { Cookie, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { selfSigned } from '../support/certificate.ts';
import { portOf } from '../support/port.ts';
import { newAccount, signUp } from './support/account.ts';
import { startHttpsFront } from './support/https-front.ts';
import { newPage, openPage } from './support/page.ts';
import { ownDemo } from './support/product.ts';

const TRANSACTION = '__Host-Http-login';
/** Part of the cookie name for Chromium, which therefore applies no prefix rule; `String.trim` removes it. */
const NO_BREAK_SPACE = '\xA0';

/** An attacker's host of the same site, whose page sets cookies for every host of the site. */
async function startSibling(t: Test, tls: { cert: string; key: string }) {
  const planted: string[] = [];
  const seen: string[] = [];
  const server = createServer(tls, ({ headers, url }, response) => {
    if (url === '/api/seen') seen.push(headers.cookie ?? '');
    const lines = planted.map((pair) => `${pair}; Domain=site.test; Path=/api; Secure`);
    response.writeHead(200, {
      'content-type': 'text/html',
      ...(lines.length > 0 && { 'set-cookie': lines }),
    });
    response.end('<!doctype html><html lang="en"><title>Sibling</title><link rel="icon" href="data:,">');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `https://evil.site.test:${portOf(server)}`;
  return {
    /** Sets these cookies; returns the cookies that the browser sends afterwards. */
    async lure(page: Page, pairs: readonly string[]): Promise<string> {
      planted.splice(0, planted.length, ...pairs);
      await page.goto(`${origin}/`);
      await page.goto(`${origin}/api/seen`);
      return seen.at(-1) ?? '';
    },
  };
}

/** Name of the signed-in user, according to the site. */
async function nameOf(page: Page, origin: string): Promise<string | null> {
  if (!page.url().startsWith(origin)) await page.goto(`${origin}/plugins/`);
  return page.evaluate(async () => {
    const answer = await fetch('/api/auth/session', { headers: { 'x-requested-with': 'plugin-square' } });
    const { data } = await answer.json();
    return data.signed_in ? data.user.nick_name : null;
  });
}

async function opened(t: Test, origin: string, expected: RegExp): Promise<Page> {
  const page = await newPage(t, { ignoreHTTPSErrors: true, expected });
  await openPage(page, `${origin}/plugins/`);
  return page;
}

async function cookieNamed(page: Page, name: string): Promise<Cookie | undefined> {
  return (await page.context().cookies()).find((cookie) => cookie.name === name);
}

t.test('another host of the same site sets cookies that look like ours', async (t) => {
  const tls = selfSigned('ec', ['plugins.site.test', 'evil.site.test']);
  const front = await startHttpsFront(t, tls, 'plugins.site.test');
  const { publicUrl: origin } = front;
  front.forwardTo((await ownDemo(t, { PUBLIC_URL: origin })).origin);
  const sibling = await startSibling(t, tls);
  t.test(
    "a sign-in started by the attacker does not sign a victim into the attacker's account",
    async (t) => {
      const began = await opened(t, origin, /ERR_FAILED/);
      const held = new Promise<string>((resolve) => {
        void began.route(/\/api\/auth\/callback\?/, async (route) => {
          resolve(route.request().url());
          await route.abort();
        });
      });
      const signedUp = signUp(began, newAccount('Mallory again')).then(() => held);
      // A sign-up that fails ends the test; one that waits for its callback ends with the page.
      const callback = await Promise.race([held, signedUp]);
      const transaction = await cookieNamed(began, TRANSACTION);
      t.match(callback, /[?&]code=/, 'an unused code');
      await began.context().close();

      const page = await opened(t, origin, /status of 400/);
      const planted = `${NO_BREAK_SPACE}${TRANSACTION}=${transaction?.value}`;
      t.ok((await sibling.lure(page, [planted])).includes(planted), 'the browser sends the planted cookie');
      const returned = await page.goto(callback);
      t.equal(returned?.status(), 400);
      t.equal(await nameOf(page, origin), null);
    },
  );
});
