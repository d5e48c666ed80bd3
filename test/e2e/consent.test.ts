import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { until } from '../support/until.ts';
import { expect } from './support/expect.ts';
import { sharedOverseasSite } from './support/overseas-site.ts';
import { newPage, openPage, waitForFrames, waitForHydration } from './support/page.ts';

const PLUGIN = '/plugins/plugin/square-chart-kitchen';
const DAY = 24 * 60 * 60;

const banner = (page: Page) => page.getByRole('region', { name: 'Your cookies, your choice' });
const button = (page: Page, name: string) => banner(page).getByRole('button', { name });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Cookie Settings' });
const inFooter = (page: Page) => page.locator('footer').getByRole('button', { name: 'Cookie Settings' });
/** By keyboard: cards above the footer get their height when they become visible, which moves it away from a pointer. */
const openDialogFromFooter = async (page: Page) => {
  await inFooter(page).press('Enter');
  await dialog(page).waitFor();
};
const cookieNames = async (page: Page) => (await page.context().cookies()).map(({ name }) => name);
const consentOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'consent');

/** Paths of later requests that belong to analytics. */
function marketingRequests(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (/sensorsdata|\/api\/collect/.test(request.url())) seen.push(new URL(request.url()).pathname);
  });
  return seen;
}

t.test('cookies of an overseas site', async (t) => {
  const { origin, collector } = await sharedOverseasSite();
  const open = async (t: Test) => {
    const page = await newPage(t);
    const marketing = marketingRequests(page);
    await openPage(page, origin + PLUGIN);
    return { page, marketing };
  };

  t.test('on a phone the open menu lies above the banner, which is inert meanwhile', async (t) => {
    const page = await newPage(t, { viewport: { width: 375, height: 760 }, hasTouch: true });
    await openPage(page, origin + PLUGIN);
    await banner(page).waitFor();
    const section = page.locator('section', { hasText: 'Your cookies, your choice' });
    await expect(section).not.toHaveAttribute('inert');
    await page.getByRole('button', { name: 'Open menu' }).tap();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.waitFor();
    await expect(section).toHaveAttribute('inert', '');
    await expect(banner(page), 'screen readers have the menu alone').toHaveCount(0);
    await waitForFrames(page);
    const top = await menu.evaluate((one) => {
      const { left, bottom } = one.getBoundingClientRect();
      return document.elementFromPoint(left + 20, bottom - 20)?.closest('[role=dialog]') === one;
    });
    t.equal(top, true, 'the end of the menu is not covered');
    await menu.getByRole('button', { name: 'Close menu' }).tap();
    await menu.waitFor({ state: 'detached' });
    await expect(section).not.toHaveAttribute('inert');
    await button(page, 'Reject All').tap();
    await banner(page).waitFor({ state: 'detached' });
  });

  t.test('visitors are asked, and the page is usable meanwhile', async (t) => {
    const { page, marketing } = await open(t);
    await banner(page).waitFor();
    const [refuse, accept] = [
      await button(page, 'Reject All').boundingBox(),
      await button(page, 'Accept All').boundingBox(),
    ];
    t.equal(refuse?.height, accept?.height);
    await expect(button(page, 'Reject All'), 'rejecting is as prominent as accepting').toHaveAttribute(
      'class',
      (await button(page, 'Accept All').getAttribute('class')) ?? '',
    );
    await button(page, 'Reject All').focus();
    await page.keyboard.press('Escape');
    for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Tab');
    t.equal(
      await page.evaluate(() => document.activeElement?.closest('header') !== null),
      true,
      'Tab leaves the banner',
    );
    await expect(banner(page), 'Escape does not close it').toBeVisible();
    // The end of the page is not covered; cards get their height when they become visible.
    await page.waitForFunction(
      ([end, cover]) => {
        scrollTo({ top: document.body.scrollHeight, behavior: 'instant' });
        return end && cover && end.getBoundingClientRect().bottom <= cover.getBoundingClientRect().top;
      },
      [await inFooter(page).elementHandle(), await banner(page).elementHandle()] as const,
    );
    const violations = (await new AxeBuilder({ page }).include('section[aria-labelledby]').analyze())
      .violations;
    t.strictSame(violations, []);
    t.strictSame(marketing, []);
    t.strictSame(await cookieNames(page), []);
  });

  t.test('the banner appears late and moves nothing', async (t) => {
    const page = await newPage(t);
    const answer = await page.goto(origin + PLUGIN);
    t.notMatch(await answer?.text(), 'Reject All</button>', 'it is not in the HTML');
    await waitForHydration(page);
    await banner(page).waitFor();
    await expect(page.locator('html'), 'the page knows its height').toHaveAttribute(
      'style',
      /--consent-space/,
    );
    // Both in one step: what loads meanwhile may move the page, without the banner's doing.
    const { asked, decided } = await banner(page).evaluate((section) => {
      const others = [...document.querySelectorAll(':is(header, main) *, footer :is(a, button)')];
      const places = (): string[] =>
        others.map((node) => {
          const { left, top, width } = node.getBoundingClientRect();
          return `${node.localName}.${node.className} ${left} ${top} ${width}`;
        });
      const asked = places();
      section.remove();
      document.documentElement.style.removeProperty('--consent-space');
      return { asked, decided: places() };
    });
    t.ok(asked.length > 100, 'the page is there');
    t.strictSame(asked, decided);
  });

  t.test('Reject All is remembered for 180 days', async (t) => {
    const { page, marketing } = await open(t);
    await button(page, 'Reject All').click();
    await banner(page).waitFor({ state: 'detached' });
    const { expires = 0, ...cookie } = (await consentOf(page)) ?? {};
    t.hasStrict(cookie, { value: 'necessary', path: '/', sameSite: 'Lax', secure: false });
    t.ok(Math.abs(expires - Date.now() / 1000 - 180 * DAY) < DAY / 24, 'for 180 days');
    await expect(page.locator('main'), 'the page has the focus').toBeFocused();
    await page.reload();
    await waitForHydration(page);
    await openDialogFromFooter(page);
    await expect(banner(page)).toHaveCount(0);
    t.strictSame(marketing, []);
  });

  t.test('Cookie Settings: a choice counts when it is saved', async (t) => {
    const { page, marketing } = await open(t);
    await button(page, 'Cookie Settings').press('Enter');
    await dialog(page).waitFor();
    await expect(dialog(page)).toContainText(/Strictly Necessary\s+Always active/, { useInnerText: true });
    const choice = dialog(page).getByRole('switch', { name: 'Marketing' });
    await expect(choice, 'nothing is preselected').not.toBeChecked();
    await expect(dialog(page).getByRole('switch'), 'necessary cookies have no switch').toHaveCount(1);
    t.strictSame((await new AxeBuilder({ page }).include('[role=dialog]').analyze()).violations, []);
    await choice.press('Space');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    t.equal(await consentOf(page), undefined, 'closed without saving');
    await expect(banner(page)).toBeVisible();
    await button(page, 'Cookie Settings').click();
    await choice.click();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await banner(page).waitFor({ state: 'detached' });
    t.equal((await consentOf(page))?.value, 'marketing');
    await page.waitForFunction(() => document.activeElement?.tagName === 'MAIN');
    await collector.arrived(({ event }) => event === '$pageview');
    t.ok(marketing.length > 0);
  });

  t.test('withdrawing consent stops analytics immediately in every tab', async (t) => {
    collector.forget();
    const { page, marketing } = await open(t);
    await button(page, 'Accept All').click();
    const first = await collector.arrived(({ event }) => event === '$pageview');
    await t.resolves(
      until(async () => (await cookieNames(page)).some((name) => name.startsWith('sa_jssdk'))),
      'analytics has its cookie',
    );
    const other = await page.context().newPage();
    const marketingThere = marketingRequests(other);
    await Promise.all([other.waitForRequest(/\/api\/collect/), other.goto(origin + PLUGIN)]);

    await openDialogFromFooter(page);
    await dialog(page).getByRole('switch', { name: 'Marketing' }).click();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await t.resolves(
      until(async () => (await cookieNames(page)).join() === 'consent'),
      'also the other tab has forgotten its cookies',
    );
    t.strictSame(await page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)]), [
      [],
      [],
    ]);
    marketing.length = 0;
    marketingThere.length = 0;
    for (const tab of [page, other]) {
      await tab.bringToFront();
      await tab.locator('h1').click();
      await tab.locator('header a[href="/plugins/"]').first().click();
      await tab.waitForURL(`${origin}/plugins/`);
      await tab.getByRole('heading', { name: 'Recommended' }).waitFor();
    }
    t.strictSame(marketing, []);
    t.strictSame(marketingThere, []);
    t.strictSame(await cookieNames(page), ['consent'], 'nothing is stored again');

    collector.forget();
    await openDialogFromFooter(page);
    await dialog(page).getByRole('switch', { name: 'Marketing' }).click();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    const again = await collector.arrived(({ event }) => event === '$pageview');
    t.not(again.anonymous_id, first.anonymous_id, 'a new consent gets a new id');
  });

  t.test('a browser that denies all storage shows the site', async (t) => {
    const page = await newPage(t);
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('Access is denied for this document.', 'SecurityError');
          },
        });
    });
    await openPage(page, `${origin}/plugins/`);
    await button(page, 'Reject All').click();
    await banner(page).waitFor({ state: 'detached' });
    await page.locator('main').getByRole('link', { name: 'Icon Harbor' }).first().click();
    await t.resolves(page.getByRole('heading', { level: 1, name: 'Icon Harbor' }).waitFor());
  });
});
