import type { Page } from 'playwright-core';
import t from 'tap';
import { startSpecCommunity } from '../support/spec-community.ts';
import { stubAnswer } from '../support/stub-upstream.ts';
import { until } from '../support/until.ts';
import { adminPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage } from './support/page.ts';
import { ownProduct } from './support/product.ts';
import { packageFile } from './support/publish-files.ts';
import { fileInput, fillTexts, openForm, submit } from './support/publish-form.ts';

const card = (page: Page, key: string) =>
  page.locator('main article').filter({ has: page.locator(`a[href="/plugins/plugin/${key}"]`) });

t.test('the site with another vendor’s community service', async (t) => {
  const community = await startSpecCommunity(t);
  const { stub } = community;
  const product = await ownProduct(t, { COMMUNITY_URL: stub.url });
  const { origin } = product;
  const open = (page: Page, path = '/plugins/') => openPage(page, origin + path);

  await t.test('a service with only the required fields (R 14.54)', async (t) => {
    const page = await adminPage(t, product, { expected: /status of 404/ });
    const counted = page.waitForResponse(/\/notice\/count$/);
    await open(page);
    await page.getByRole('button', { name: 'Admin’s account menu' }).waitFor();
    t.equal((await counted).status(), 404);

    const asked = stub.seen('GET /api/cmt/notice/count').length;
    await expect(page.getByRole('link', { name: /^Notifications/ }), 'no notifications').toHaveCount(0);

    const like = card(page, 'p2').getByRole('button', { name: /^Like/ });
    await like.click();
    await page.getByText('Liked', { exact: true }).waitFor();
    await expect(like, 'although the answer does not contain it').toHaveAttribute('aria-pressed', 'true');
    await card(page, 'p2')
      .getByRole('button', { name: /^Install/ })
      .click();
    await page.getByText('Plugin installed', { exact: true }).waitFor();
    t.match(stub.seen('POST /api/cmt/plugin/user').at(-1)?.body.toString(), '"plugin_key":"p2"');

    await card(page, 'p1').getByRole('button', { name: /^Like/ }).click();
    await page.getByText('Like failed: Likes are <i>closed</i>.', { exact: true }).waitFor();
    await t.resolves(card(page, 'p1').getByRole('button', { name: /^Like/, pressed: false }).waitFor());

    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    t.equal(stub.seen('GET /api/cmt/notice/count').length, asked, 'the missing call is requested once');
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await card(page, 'p29').waitFor();
    await expect(page.locator('main article'), 'no duplicates').toHaveCount(30);

    await open(page, '/plugins/plugin/p2');
    await page.getByRole('heading', { level: 1, name: 'p2' }).waitFor();
    await page.waitForFunction(() => document.querySelector('article button[aria-pressed=true]') !== null);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await open(page, '/plugins/plugin/p4');
    await page.getByRole('button', { name: 'Install p4' }).click();
    await page.getByText('Plugin installed', { exact: true }).waitFor();
    t.equal(stub.seen('POST /api/cmt/plugin/user').at(-1)?.body.toString(), '{"plugin_key":"p4"}');

    await openForm(page, origin);
    await fileInput(page, 'code').setInputFiles(packageFile({ name: { 'en-US': 'Frame Tally' } }));
    await page.getByText('Filled in from the package').waitFor();
    await fillTexts(page, 'Frame Tally');
    stub.on('POST /api/cmt/plugin', () => stubAnswer(200, { code: 50_001, message: 'Not on Sundays.' }));
    await submit(page).click();
    await page.getByRole('alert').getByText('Not on Sundays.', { exact: true }).waitFor();
    stub.on('POST /api/cmt/plugin', () => stubAnswer(200, { code: 200 }));
    await submit(page).click();
    await page.getByRole('heading', { name: 'Submitted' }).waitFor();

    await open(page, '/plugins/my-plugins');
    await page.getByRole('link', { name: 'p1', exact: true }).first().waitFor();
    for (const [screen, shown] of [
      ['audit-list', '10003'],
      ['resource-state-list', 'Resource slots'],
      ['banner-config', 'Banners'],
      ['iconfont', 'Icon'],
      ['pexels', 'Stock'],
    ] as const) {
      await open(page, `/plugins/backstage-index/${screen}`);
      await page.locator('main').getByText(shown).first().waitFor();
    }
  });

  await t.test('a submission without permissions', async (t) => {
    const item = { submission_id: 7, audit_status: 1, plugin: { plugin_key: 'p7', name: 'Seventh' } };
    const listing = { default_lang: 'en-US', name: { 'en-US': 'Seventh' }, tags: ['grids'] };
    const preview = { plugin_key: 'p7', name: 'Seventh', allowed_domains: ['a.example'] };
    stub.on('GET /api/cmt/manager/plugin/audit', () =>
      stubAnswer(200, { code: 0, data: { item, listing, preview } }),
    );
    const page = await adminPage(t, product, { expected: /status of 404/ });
    await open(page, '/plugins/backstage-index/audit-list/7');
    await page.getByRole('heading', { level: 1 }).filter({ hasText: 'Seventh' }).waitFor();
    await page.getByRole('tabpanel').getByText('a.example').waitFor();
    await expect(page.getByRole('region', { name: /^Permissions/ }), 'nothing is invented').toHaveCount(0);
    await page.getByRole('tab', { name: 'Listing' }).click();
    const tags = page.getByRole('tabpanel').locator('dl > div').filter({ hasText: /^Tags/ });
    await tags.getByText('grids').waitFor();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  await t.test('an unusable answer affects only its part, which can be retried', async (t) => {
    const LIST = 'GET /api/cmt/plugin/list';
    const TAGS = 'GET /api/cmt/plugin/tag/list';
    const WORKS = 'GET /api/cmt/plugin/recommendation/list';
    const whole = (data: unknown) => stubAnswer(200, { code: 0, data });
    stub.on(LIST, () => whole({ total: 2, plugin_list: 'none' }));
    stub.on(TAGS, () => whole('x'.repeat(40)));
    stub.on(WORKS, () => stubAnswer(200, '<html>proxy</html>', { 'content-type': 'text/html' }));
    stub.on('GET /api/cmt/plugin-banner/all', () => whole([null, 7, { id: 'x' }]));
    const page = await newPage(t, { expected: /status of 404/ });
    const tagsAgain = page
      .getByRole('navigation', { name: 'Filter by tag' })
      .getByRole('button', { name: 'Try again' });
    // The gateway serves cached responses for some seconds.
    let asked = 0;
    await until(async () => {
      await open(page, `/plugins/?keyword=broken${asked}`);
      asked += 1;
      return tagsAgain.isVisible();
    });
    const results = page.locator('section[aria-labelledby=results]');
    await results.getByRole('alert').waitFor();
    await expect(page.getByRole('heading', { level: 1 }), 'the page is shown').toHaveCount(1);

    stub.on(LIST, () => whole({ total: 1, plugin_list: [{ plugin_key: 'p7' }, null] }));
    await tryUntil(results.getByRole('button', { name: 'Try again' }), card(page, 'p7'));
    stub.on(TAGS, () => whole([{ id: 5, name: 'Mended' }]));
    await tryUntil(tagsAgain, page.getByRole('link', { name: 'Mended' }));

    await page.getByRole('link', { name: 'Mended' }).click();
    await card(page, 'p7').waitFor();
    stub.on('GET /api/cmt/plugin', () => whole({ name: 'No key' }));
    await card(page, 'p7').locator('a').first().click();
    await page.locator('main').getByRole('alert').waitFor();
    stub.on('GET /api/cmt/plugin', () =>
      whole({ plugin_key: 'p7', name: 'Mended too', updated_at: 'yesterday' }),
    );
    await tryUntil(
      page.locator('main').getByRole('button', { name: 'Try again' }),
      page.getByRole('heading', { level: 1, name: 'Mended too' }),
    );
  });
});

type Shown = ReturnType<Page['locator']>;

/** Presses the button until the wanted element is shown: the gateway caches responses for some seconds. */
async function tryUntil(button: Shown, wanted: Shown): Promise<void> {
  await until(async () => {
    if (await wanted.first().isVisible()) return true;
    await button.click({ timeout: 2000 }).catch(() => undefined);
    await wanted
      .first()
      .waitFor({ timeout: 1500 })
      .catch(() => undefined);
    return false;
  });
}
