import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { newAccount, signUp } from './support/account.ts';
import { type CollectedEvent, startCollector } from './support/collector.ts';
import { expect } from './support/expect.ts';
import { choose, newPage, openPage } from './support/page.ts';
import { ownDemo, PRIVATE, steadyProduct } from './support/product.ts';

const PLUGIN = '/plugins/plugin/square-chart-kitchen';
const OLD_BROWSER =
  'Mozilla/5.0 (Linux; U; Android 12; zh-cn) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/109.0.0.0 MQQBrowser/14.0 Mobile Safari/537.36';

/** Paths of later requests that belong to analytics. */
function analyticsRequests(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (/sensorsdata|privacy|\/api\/collect/.test(request.url())) seen.push(new URL(request.url()).pathname);
  });
  return seen;
}

async function recordServedTitle(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const record = () => Object.assign(document, { servedTitle: document.title });
    document.addEventListener('readystatechange', record, { once: true });
  });
}

/** The title in the HTML of the page, before any script. */
const servedTitle = (page: Page) => page.evaluate(() => Reflect.get(document, 'servedTitle'));

t.test('events of a domestic site', async (t) => {
  const collector = await startCollector(t);
  const { origin } = await ownDemo(t, { COLLECTOR_URL: collector.url, PRODUCT: '7' });
  const earlier: CollectedEvent[] = [];
  const open = async (t: Test, path: string, referer?: string) => {
    earlier.push(...collector.events());
    collector.forget();
    const page = await newPage(t);
    await recordServedTitle(page);
    await openPage(page, origin + path, referer === undefined ? {} : { referer });
    return page;
  };

  t.test('no consent is asked for; page views have the address', async (t) => {
    const query = '?from=share&utm_source=QUERY&code=QUERY&oauth2=1#QUERY';
    const page = await open(t, PLUGIN + query, 'https://www.google.com/search?q=QUERY');
    const { properties, anonymous_id } = await collector.arrived(({ event }) => event === '$pageview');
    t.match(properties, {
      product: '7',
      tid: anonymous_id,
      pid: 9497,
      uid: '',
      $url: `${origin}${PLUGIN}`,
    });
    // On a busy machine the gateway sends the page without its data, and the view is counted with the title of the site.
    t.ok([await servedTitle(page), 'Chart Kitchen · Plugin Square'].includes(String(properties.$title)));
    await expect(page.getByRole('region', { name: 'Your cookies, your choice' })).toHaveCount(0);
    await expect(page.locator('footer button')).toHaveCount(0);

    await page.locator('header a[href="/plugins/"]').first().click();
    const next = await collector.arrived(
      ({ event, properties }) => event === '$pageview' && properties.$url === `${origin}/plugins/`,
    );
    t.match(next.properties, { $title: await page.title(), $referrer: origin + PLUGIN });
    t.equal(next.properties.tid, anonymous_id);
    t.equal(collector.events().filter(({ event }) => event === '$pageview').length, 2, 'one for each page');
  });

  t.test('click events have the path of the element', async (t) => {
    const page = await open(t, PLUGIN);
    await collector.arrived(({ event }) => event === '$pageview');
    await page.evaluate(() => {
      const inner = document.createElement('div');
      inner.id = 'shallow';
      inner.textContent = 'Shallow';
      const link = document.createElement('a');
      link.id = 'onward';
      link.href = '?page=QUERY';
      link.textContent = 'Onward';
      link.addEventListener('click', (event) => event.preventDefault());
      document.querySelector('main')?.prepend(inner, link);
    });
    await page.locator('#onward').click();
    await collector.arrived(({ properties }) => properties.$element_content === 'Onward');
    await page.locator('#shallow').click();
    const click = await collector.arrived(({ properties }) => properties.$element_content === 'Shallow');
    t.hasStrict(click.properties, { $element_type: 'div', $element_content: 'Shallow', product: '7' });
  });

  t.test('signing in and out', async (t) => {
    const page = await open(t, PLUGIN);
    const account = newAccount();
    const visitor = await collector.arrived(({ event }) => event === '$pageview');
    await signUp(page, account);
    const signedUp = await collector.arrived(({ type }) => type === 'track_signup');
    t.equal(signedUp.anonymous_id, visitor.anonymous_id);
    const profile = await collector.arrived(({ type }) => type === 'profile_set');
    t.match(profile.properties, {
      yt_uid: Number(signedUp.login_id),
      user_name: String,
      nick_name: account.name,
      email: account.email,
      mobile: '',
      sex: 0,
      birthday: '',
      channel: String,
    });
    const view = await collector.arrived(
      ({ event, login_id }) => event === '$pageview' && login_id !== undefined,
    );
    t.hasStrict(view.properties, { uid: signedUp.login_id, tid: visitor.anonymous_id });

    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: `${account.name}’s account menu` }).click();
    await choose(page.getByRole('menuitem', { name: 'Sign out' }));
    await page.locator('header a[href^="/api/auth/login"]').first().waitFor();
    collector.forget();
    await page.locator('header a[href="/plugins/"]').first().click();
    const after = await collector.arrived(({ event }) => event === '$pageview');
    t.equal(after.login_id, undefined);
    t.hasStrict(after.properties, { uid: '', tid: visitor.anonymous_id });
  });

  t.test('requests contain only the event', async (t) => {
    const sent = collector.requests.map(({ headers, query }) => ({ headers, query }));
    t.ok(sent.length > 0);
    for (const { headers, query } of sent) {
      t.equal(headers['content-type'], 'text/plain;charset=UTF-8');
      t.equal(query.get('project'), 'production');
      t.equal(headers.cookie, undefined);
      t.equal(headers.authorization, undefined);
    }
    const all = [...earlier, ...collector.events()];
    t.ok(all.some(({ properties }) => properties.$referrer === 'https://www.google.com/search'));
    t.notMatch(JSON.stringify(all), /QUERY|utm_|https?:[^"]*[?#]/, 'no address in an event has a query');
    t.notMatch(JSON.stringify(all), /eyJ[\w-]+\.eyJ|access_token|refresh_token/);
  });

  t.test('a browser without sendBeacon sends nothing', async (t) => {
    const page = await newPage(t, { userAgent: OLD_BROWSER, locale: 'zh-CN' });
    const requests = analyticsRequests(page);
    const asked = page.waitForRequest(/sensorsdata/);
    await page.goto(origin + PLUGIN);
    await asked;
    await page.waitForLoadState('networkidle');
    await page.locator('h1').click();
    t.notOk(requests.includes('/api/collect'));
  });

  t.test('the page works when the browser blocks the library', async (t) => {
    const page = await newPage(t, { expected: /ERR_FAILED/ });
    await page.route(/sensorsdata/, (route) => route.abort());
    const refused = page.waitForEvent('requestfailed', (request) => request.url().includes('sensorsdata'));
    await page.goto(origin + PLUGIN);
    await refused;
    await page.locator('header a[href="/plugins/"]').first().click();
    await page.waitForURL(`${origin}/plugins/`);
    await page.waitForLoadState('networkidle');
  });
});

t.test('a private deployment neither collects events nor loads the library', async (t) => {
  const { origin } = await steadyProduct(PRIVATE);
  const page = await newPage(t);
  const requests = analyticsRequests(page);
  await openPage(page, origin + PLUGIN);
  await page.waitForLoadState('networkidle');
  await page.locator('h1').click();
  await page.locator('header a[href="/plugins/"]').first().click();
  await page.waitForURL(`${origin}/plugins/`);
  await page.waitForLoadState('networkidle');
  t.strictSame(requests, []);
  t.strictSame(await page.context().cookies(), []);
});
