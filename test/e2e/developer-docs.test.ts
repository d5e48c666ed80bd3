import { readFile } from 'node:fs/promises';
import t from 'tap';
import { checkPackage } from '../../shared/package/check-package.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage } from './support/page.ts';
import { sharedProduct } from './support/product.ts';

const FIRST = 'section[aria-labelledby=results] article h3 a';

t.test('the documentation for developers', async (t) => {
  const product = await sharedProduct();
  const { origin } = product;

  t.test('a plugin page links to it, and its sample passes the checks', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/`);
    await page.locator(FIRST).first().click();
    await page.getByRole('link', { name: 'Developer documentation' }).click();
    await page.waitForURL(`${origin}/plugins/docs/`);
    await page.getByRole('heading', { level: 1, name: 'Developer documentation' }).waitFor();
    await t.resolves(page.waitForFunction(() => document.title.startsWith('Developer documentation · ')));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the sample' }).click(),
    ]);
    t.equal(download.suggestedFilename(), 'sample.json');
    t.strictSame(checkPackage(await readFile(await download.path())).findings, []);
    await page.getByRole('navigation', { name: 'Contents' }).getByText('How review works').click();
    await page.waitForFunction(() => location.hash !== '' && scrollY > 0);
  });

  t.test('every finding has an anchor in each language', async (t) => {
    const page = await newPage(t, { locale: 'ja-JP' });
    await page.goto(`${origin}/plugins/docs/#finding-JSON_TRAILING_COMMA`);
    await page.waitForFunction(() => scrollY > 0);
    const heading = page.getByRole('heading', { name: 'JSON_TRAILING_COMMA' });
    const { top, header } = await heading.evaluate((node) => ({
      top: node.getBoundingClientRect().top,
      header: document.querySelector('header')?.getBoundingClientRect().bottom ?? 0,
    }));
    t.ok(top >= header && top < 720, `visible below the header: ${top}`);
    const main = page.getByRole('main');
    await expect(main).toContainText('最後の項目の後のカンマを削除してください。');
    await expect(main).toContainText('"editorType": ["pixso",]');
    await expect(page.locator('link[rel=canonical]'), 'canonical address').toHaveAttribute(
      'href',
      `${origin}/plugins/docs/`,
    );
    await expect(page.locator('link[rel=alternate][hreflang]')).toHaveCount(7);
    t.match(await page.getAttribute('meta[name=description]', 'content'), 'プラグインのパッケージ化');
  });
});
