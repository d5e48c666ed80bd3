/** The tabs of My plugins for liked plugins and for statistics. */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { until } from '../support/until.ts';
import { memberPage } from './support/account.ts';
import { publish, send } from './support/api.ts';
import { expect } from './support/expect.ts';
import { choose, openPage } from './support/page.ts';
import { sharedProduct } from './support/product.ts';
import { pluginPackage } from './support/publish-files.ts';

const PAGE = '/plugins/my-plugins';
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const toast = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).last();
const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
const panel = (page: Page) => page.getByRole('tabpanel');
const chart = (page: Page, name: string) =>
  page.locator('figure').filter({ has: page.getByText(name, { exact: true }) });

const product = await sharedProduct();
const { origin, reviewer } = product;

const openAs = (t: Test, name: string, expected?: RegExp) =>
  memberPage(t, product, name, { path: '/plugins/', ...(expected && { expected }) });

async function open(page: Page, query = ''): Promise<void> {
  await openPage(page, `${origin}${PAGE}${query}`);
  await page.getByRole('tablist').waitFor();
}

/** Daily statistics are aggregated every few seconds. */
async function untilCounted(page: Page, expected: Record<string, number>): Promise<void> {
  await until(async () => {
    const { days } = await send(page, 'GET', 'plugin/statistics?days=1');
    return Object.entries(expected).every(([figure, count]) => days[0][figure] === count);
  });
}

async function publishApproved(page: Page, name: string): Promise<string> {
  const key = await publish(page, pluginPackage(name));
  await reviewer.pass(key);
  return key;
}

const publisher = await openAs(t, 'Publisher');
const swift = await publishApproved(publisher, 'Swift grid');
const leaving = await publishApproved(publisher, 'Leaving soon');

t.test('liked plugins are listed, and an accidental unlike can be undone in place', async (t) => {
  const page = await openAs(t, 'Fan', /ERR_FAILED/);
  await open(page, '?tab=liked');
  await panel(page).getByText('Nothing liked yet').waitFor();
  await panel(page).getByRole('link', { name: 'Browse plugins' }).click();
  await page.waitForURL(`${origin}/plugins/`);

  await openPage(page, `${origin}/plugins/plugin/${swift}`);
  await page.locator('main').getByRole('button', { name: 'Like Swift grid' }).first().click();
  await toast(page, 'Liked').waitFor();
  await send(page, 'POST', 'plugin/user/praise', { plugin_key: leaving, praise: 1 });
  await send(publisher, 'DELETE', 'plugin', { plugin_key: leaving });

  await page.getByRole('button', { name: /account menu$/ }).click();
  await choose(page.getByRole('menuitem', { name: 'My plugins' }));
  await tab(page, 'Liked').click();
  await t.resolves(page.waitForURL((url) => url.search === '?tab=liked'));
  await tab(page, 'Liked2')
    .or(page.getByRole('tab', { name: 'Liked 2' }))
    .waitFor();
  const deleted = row(page, 'Leaving soon');
  await deleted.getByText('No longer available').waitFor();
  await expect(deleted.getByRole('heading').getByRole('link')).toHaveCount(0);
  await expect(panel(page).getByRole('listitem').first().getByRole('heading')).toHaveText('Leaving soon', {
    useInnerText: true,
  });

  const kept = row(page, 'Swift grid');
  await page.route('**/plugin/user/praise', (route) => route.abort(), { times: 1 });
  await kept.getByRole('button', { name: 'Unlike Swift grid' }).click();
  await toast(page, 'Unlike failed. Network error').waitFor();
  await kept.getByRole('button', { name: 'Unlike Swift grid' }).click();
  await toast(page, 'Unliked').waitFor();
  await kept.getByRole('button', { name: 'Like again: Swift grid' }).click();
  await toast(page, 'Liked').waitFor();
  // An unlike is shown before its answer; a list loaded in between would still have the plugin.
  const unliked = page.waitForResponse('**/plugin/user/praise');
  await kept.getByRole('button', { name: 'Unlike Swift grid' }).click();
  await kept.getByText('Unliked', { exact: true }).waitFor();
  await unliked;
  await tab(page, 'Installed').click();
  await panel(page).getByText('Nothing installed yet').waitFor();
  await tab(page, 'Liked').click();
  await kept.waitFor({ state: 'detached' });

  await deleted.getByRole('button', { name: 'Unlike Leaving soon' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Unlike “Leaving soon”?' });
  await expect(confirmation).toContainText(/can’t be liked again/);
  const lastUnliked = page.waitForResponse('**/plugin/user/praise');
  await confirmation.getByRole('button', { name: 'Unlike' }).click();
  await deleted.getByText('Unliked', { exact: true }).waitFor();
  await expect(deleted.getByRole('button'), 'no button, because it could not be liked again').toHaveCount(0);
  await lastUnliked;
  await page.reload();
  await panel(page).getByText('Nothing liked yet').waitFor();
});

t.test('scrolling loads more likes, and a failure shows an error', async (t) => {
  const page = await openAs(t, 'Collector', /status of 500/);
  const item = (n: number) => ({ is_available: true, liked_at: '2026-03-01T10:00:00.000Z', plugin: { n } });
  await send(page, 'POST', 'plugin/user/praise', { plugin_key: swift, praise: 1 });
  const first = await send(page, 'GET', 'plugin/liked');
  const filled = (n: number) => {
    const plugin = { ...first.plugin_list[0].plugin, plugin_key: `many-plugins-${n}`, name: `Number ${n}` };
    return { ...item(n), plugin };
  };
  const pages = [0, 1].map((page) => Array.from({ length: 24 }, (_, n) => filled(24 * page + n)));
  await page.route('**/api/cmt/plugin/liked*', (route) =>
    route.fulfill({
      json: {
        code: 0,
        message: '',
        data: route.request().url().includes('cursor=')
          ? { ...first, total: 48, plugin_list: pages[1] }
          : { ...first, total: 48, plugin_list: pages[0], next_cursor: 'AAAAAAAAAAAAAAAA' },
      },
    }),
  );
  await open(page, '?tab=liked');
  await row(page, 'Number 23').scrollIntoViewIfNeeded();
  await row(page, 'Number 47').waitFor();
  await page.unroute('**/api/cmt/plugin/liked*');
  await page.route('**/api/cmt/plugin/liked*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.reload();
  await panel(page).getByRole('alert').getByText('Couldn’t load this').waitFor();
  await page.unroute('**/api/cmt/plugin/liked*');
  await panel(page).getByRole('button', { name: 'Try again' }).click();
  await row(page, 'Swift grid').waitFor();
});

t.test('both tabs show that another vendor’s community lacks these calls', async (t) => {
  const page = await openAs(t, 'Elsewhere', /status of 404/);
  for (const call of ['liked', 'statistics'])
    await page.route(`**/api/cmt/plugin/${call}*`, (route) =>
      route.fulfill({ status: 404, json: { code: 'NOT_FOUND', message: 'Not found' } }),
    );
  await open(page, '?tab=liked');
  await panel(page).getByText('Likes aren’t listed on this site').waitFor();
  await tab(page, 'Statistics').click();
  await panel(page).getByText('No statistics here').waitFor();
  await tab(page, 'Published').click();
  await panel(page).getByText('You haven’t published anything yet').waitFor();
});

t.test('on a phone the selected tab is scrolled into view', async (t) => {
  const page = await openAs(t, 'Traveller');
  await page.setViewportSize({ width: 375, height: 800 });
  await open(page, '?tab=reports');
  await panel(page).getByText('You haven’t reported anything').waitFor();
  await page.waitForFunction(() => {
    const tab = document.querySelector('[role=tab][aria-selected=true]')?.getBoundingClientRect();
    return tab !== undefined && tab.left >= 0 && tab.right <= innerWidth;
  });
});

t.test('a publisher sees daily statistics of all plugins and of each', async (t) => {
  const page = publisher;
  const second = await publishApproved(page, 'Second try');
  const guest = await openAs(t, 'Guest', /status of 403/);
  for (const plugin_key of [swift, second]) {
    await send(guest, 'POST', 'plugin/user', { plugin_key });
    await send(guest, 'POST', 'plugin/user/praise', { plugin_key, praise: 1 });
  }
  await openPage(guest, `${origin}/plugins/`);
  await guest.getByRole('link', { name: 'Second try' }).first().click();
  await guest.waitForURL(`${origin}/plugins/plugin/${second}`);
  await untilCounted(page, { views: 2, installs: 2, uninstalls: 0, likes: 3 });

  await open(page);
  await tab(page, 'Statistics').click();
  await panel(page).getByText('Statistics for everything you’ve published.').waitFor();
  await chart(page, 'Installs').locator('svg').first().waitFor();
  for (const [name, today] of [
    ['Installs', 2],
    ['Uninstalls', 0],
    ['Downloads', 0],
    ['Likes', 3],
  ] as const)
    await expect(chart(page, name).locator('figcaption')).toContainText(
      new RegExp(`^${name}\\s+${today}\\s`),
      { useInnerText: true },
    );
  await expect(chart(page, 'Installs')).toContainText(/Previous period: 0/);
  await expect(
    chart(page, 'Installs').locator('.recharts-area-curve[stroke-dasharray]'),
    'today is not over',
  ).toHaveCount(1);
  await panel(page).locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(panel(page).getByRole('row')).toHaveCount(31);
  const head = (n: number) => panel(page).getByRole('row').nth(n).getByRole('rowheader');
  await expect(head(1)).toContainText(/ \(so far\)$/);
  await expect(head(2)).toContainText(/ \d{4}$/);
  const today = panel(page).getByRole('row').nth(1).getByRole('cell');
  // Active installs are counted once a day.
  await expect(today).toHaveText(['2', '2', /^\d+$/, '0', '0', '3'], { useInnerText: true });
  await page.getByRole('radio', { name: '30 days' }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelectorAll('[role=tabpanel] tbody tr').length === 7);

  await tab(page, 'Published').click();
  await page.getByRole('button', { name: 'More actions for Second try' }).click();
  await choose(page.getByRole('menuitem', { name: 'Statistics' }));
  await panel(page).getByText('Statistics for “Second try” only.').waitFor();
  await t.resolves(page.waitForURL((url) => url.search === `?tab=statistics&plugin_key=${second}`));
  await chart(page, 'Likes').locator('strong', { hasText: /^1$/ }).waitFor();
  const sources = panel(page).getByRole('table', { name: 'Where people came from' });
  await expect(sources.getByRole('row').nth(1)).toHaveText(/^Home\s*1\s*0$/, { useInnerText: true });
  await expect(sources.getByRole('row').nth(2)).toHaveText(/^Direct\s*0\s*1$/, { useInnerText: true });
  await expect(panel(page).getByText('Nothing to show yet')).toHaveCount(3);
  const saved = page.waitForEvent('download');
  await panel(page).getByRole('button', { name: 'Save as CSV: Where people came from' }).click();
  t.equal((await saved).suggestedFilename(), `${second}-sources.csv`);
  await panel(page).getByRole('link', { name: 'Show all my plugins' }).click();
  await panel(page).getByText('Statistics for everything you’ve published.').waitFor();

  await openPage(page, `${origin}${PAGE}/${second}/versions`);
  await page.getByRole('heading', { name: 'Statistics' }).waitFor();
  await chart(page, 'Likes').locator('strong', { hasText: /^1$/ }).waitFor();

  await openPage(guest, `${origin}${PAGE}/${second}/versions`);
  await guest.getByRole('heading', { level: 1, name: 'Versions of Second try' }).waitFor();
  const refused = await guest.evaluate(async (key) => {
    const headers = { 'x-requested-with': 'plugin-square' };
    const answer = await fetch(`/api/cmt/plugin/statistics?plugin_key=${key}`, { headers });
    return { status: answer.status, code: (await answer.json()).code };
  }, second);
  t.strictSame(refused, { status: 403, code: 'FORBIDDEN' });
});
