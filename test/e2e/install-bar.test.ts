import t from 'tap';
import { newAccount, openSignedUp } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { openPage, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

const PLUGIN = '/plugins/plugin/square-icon-harbor';

t.test('the install bar of a plugin page', async (t) => {
  const origin = await runningProduct(t, { APP_URL: 'https://editor.example/files' });
  const browser = await openBrowser(t);

  for (const [width, height, edge] of [
    [1440, 900, 'top'],
    [375, 812, 'bottom'],
  ] as const) {
    t.test(`it is visible at ${width} x ${height} after scrolling past the page header`, async (t) => {
      const { page, complaints } = await watchedPage(browser, {
        viewport: { width, height },
        reducedMotion: 'reduce',
      });
      await openPage(page, `${origin}${PLUGIN}`);
      const bar = page.getByRole('region', { name: 'Icon Harbor', exact: true });
      t.equal(await bar.count(), 0, 'the page header has the buttons');
      await page.getByRole('heading', { name: 'Version history' }).scrollIntoViewIfNeeded();
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await bar.getByRole('button', { name: 'Install Icon Harbor' }).waitFor();
      const box = await bar.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        const header = document.querySelector('header')?.getBoundingClientRect().bottom;
        return { top, bottom, header, window: innerHeight };
      });
      if (edge === 'top') t.equal(Math.round(box.top), Math.round(box.header ?? -1), 'below the header');
      else t.equal(Math.round(box.bottom), box.window, 'at the bottom of the window');
      await page.evaluate(() => scrollTo(0, 0));
      await bar.waitFor({ state: 'detached' });
      t.strictSame(complaints, []);
      await page.context().close();
    });
  }

  t.test('an installed plugin opens in the editor', async (t) => {
    const { page } = await watchedPage(browser, {});
    await openSignedUp(page, origin, newAccount('Mara'));
    await page.getByRole('button', { name: 'Mara’s account menu' }).waitFor();
    await openPage(page, `${origin}${PLUGIN}`);
    const open = page.locator('article').getByRole('link', { name: 'Open in editor' });
    t.equal(await open.count(), 0, 'no link before the installation');
    await page.locator('article header').getByRole('button', { name: 'Install Icon Harbor' }).click();
    await open.waitFor();
    t.equal(await open.getAttribute('href'), 'https://editor.example/files');
    await page.context().close();
  });
});

t.test('a site without an editor has no such link', async (t) => {
  const origin = await runningProduct(t);
  const browser = await openBrowser(t);
  const { page } = await watchedPage(browser, {});
  await openSignedUp(page, origin, newAccount('Nils'));
  await page.getByRole('button', { name: 'Nils’s account menu' }).waitFor();
  await openPage(page, `${origin}${PLUGIN}`);
  await page.locator('article header').getByRole('button', { name: 'Install Icon Harbor' }).click();
  await page.locator('article header').getByRole('button', { name: 'Installed: Icon Harbor' }).waitFor();
  t.equal(await page.getByRole('link', { name: 'Open in editor' }).count(), 0);
});
