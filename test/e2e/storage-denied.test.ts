import t from 'tap';
import { openBrowser } from './support/browser.ts';
import { openPage, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

t.test('a browser that denies all storage shows the site', async (t) => {
  const origin = await runningProduct(t, {
    DEPLOY_TYPE: 'overseas',
    COLLECTOR_URL: 'http://localhost:9/collect',
  });
  const browser = await openBrowser(t);
  const { page, complaints } = await watchedPage(browser, {});
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
  });
  await openPage(page, `${origin}/plugins/`);
  const banner = page.getByRole('region', { name: 'Your cookies, your choice' });
  await banner.getByRole('button', { name: 'Reject All' }).click();
  await banner.waitFor({ state: 'detached' });
  await page.locator('main').getByRole('link', { name: 'Icon Harbor' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Icon Harbor' }).waitFor();
  t.strictSame(complaints, []);
});
