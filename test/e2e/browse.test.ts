import t from 'tap';
import { openBrowser } from './support/browser.ts';
import { openPage, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

const CARD = 'main article';

t.test('finding a plugin', async (t) => {
  const origin = await runningProduct(t);
  const browser = await openBrowser(t);

  t.test('searches for one and two Chinese characters work', async (t) => {
    const { page } = await watchedPage(browser, { locale: 'zh-CN' });
    for (const keyword of ['色', '图标']) {
      await page.goto(`${origin}/plugins/?keyword=${encodeURIComponent(keyword)}`);
      // A busy product sends the page without the list, which is loaded later.
      const first = page.locator(`${CARD} a[href^="/plugins/plugin/"]`).first();
      t.match(await first.textContent(), keyword, `the first result of ${keyword} has it in its name`);
    }
    await page.context().close();
  });

  t.test('a lost connection shows an error, and a retry works', async (t) => {
    const { page } = await watchedPage(browser, { expected: /ERR_FAILED/ });
    await openPage(page, `${origin}/plugins/`);
    await page.route('**/api/cmt/plugin/list*', (route) => route.abort());
    await page.getByRole('link', { name: 'Popular' }).click();
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unroute('**/api/cmt/plugin/list*');
    await retry.click();
    await page.locator('[aria-labelledby=results] article').first().waitFor();
    await t.resolves(retry.waitFor({ state: 'detached' }));
    await page.context().close();
  });

  t.test('two filters changed at the same time are both applied', async (t) => {
    const { page, complaints } = await watchedPage(browser, {});
    await openPage(page, `${origin}/plugins/`);
    const tag = page.getByRole('navigation', { name: 'Filter by tag' }).getByRole('link').nth(1);
    const address = (await tag.getAttribute('href')) ?? '';
    const links = await Promise.all([
      tag.elementHandle(),
      page.getByRole('link', { name: 'Popular' }).elementHandle(),
    ]);
    await page.evaluate((both) => {
      for (const link of both) if (link instanceof HTMLElement) link.click();
    }, links);
    await page.waitForURL(`${origin}${address}&sort=1`);
    await page.getByRole('link', { name: 'Popular' }).and(page.locator('[aria-current]')).waitFor();
    t.equal(await tag.getAttribute('aria-current'), 'true');
    t.strictSame(complaints, []);
    await page.context().close();
  });
});
