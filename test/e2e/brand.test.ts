import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { axeFindings } from './access/check-screen.ts';
import { openBrowser } from './support/browser.ts';
import { openPage, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="32"><rect width="64" height="32" fill="#222"/></svg>';

t.test('a site with its own brand and a colour of low contrast', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'brand-'));
  t.teardown(() => rm(dir, { recursive: true }));
  await writeFile(join(dir, 'logo.svg'), LOGO);
  const origin = await runningProduct(t, {
    BRAND_NAME: 'Atelier',
    BRAND_COLOR: '#ffe600',
    BRAND_LOGO: join(dir, 'logo.svg'),
  });
  const browser = await openBrowser(t);
  for (const colorScheme of ['light', 'dark'] as const) {
    t.test(colorScheme, async (t) => {
      const { page, complaints } = await watchedPage(browser, { colorScheme, reducedMotion: 'reduce' });
      await openPage(page, `${origin}/plugins/`);
      t.equal(await page.title(), 'Atelier: plugins for designing together');
      t.equal(await page.locator('header').first().getByRole('link', { name: 'Atelier' }).count(), 1);
      const logo = page.locator('header img').first();
      t.strictSame(await logo.evaluate((image: HTMLImageElement) => [image.complete, image.naturalWidth]), [
        true,
        64,
      ]);
      t.match(await page.locator('link[rel=icon]').getAttribute('href'), /^\/plugins\/brand\/\w+\.svg$/);
      const color = await page
        .getByRole('link', { name: 'Start for free' })
        .first()
        .evaluate((link) => getComputedStyle(link).backgroundColor);
      t.not(color, 'rgb(0, 105, 75)', 'not our green');
      t.strictSame(await axeFindings(page), []);
      await openPage(page, `${origin}/plugins/plugin/square-icon-harbor`);
      // A busy product sends the page without the plugin, which is loaded later.
      await t.resolves(page.waitForFunction(() => document.title === 'Icon Harbor · Atelier'));
      t.strictSame(await axeFindings(page), []);
      t.equal(await page.getByText('Plugin Square').count(), 0, 'our own name does not appear');
      t.strictSame(complaints, []);
      await page.context().close();
    });
  }
});
