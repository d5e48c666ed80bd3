import t from 'tap';
import { memberPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

const PLUGIN = '/plugins/plugin/square-icon-harbor';

t.test('the install bar of a plugin page', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;

  for (const [width, height, edge] of [
    [1440, 900, 'top'],
    [375, 812, 'bottom'],
  ] as const) {
    t.test(`it is visible at ${width} x ${height} after scrolling past the page header`, async (t) => {
      const page = await newPage(t, {
        viewport: { width, height },
        reducedMotion: 'reduce',
      });
      await openPage(page, `${origin}${PLUGIN}`);
      const bar = page.getByRole('region', { name: 'Icon Harbor', exact: true });
      await expect(bar, 'the page header has the buttons').toHaveCount(0);
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
    });
  }

  t.test('a site without an editor has no link to one', async (t) => {
    const page = await memberPage(t, product);
    await openPage(page, `${origin}${PLUGIN}`);
    const header = page.locator('article header');
    await header.getByRole('button', { name: 'Install Icon Harbor' }).click();
    await header.getByRole('button', { name: 'Installed: Icon Harbor' }).waitFor();
    await expect(page.getByRole('link', { name: 'Open in editor' })).toHaveCount(0);
  });
});
