import { readFile } from 'node:fs/promises';
import t from 'tap';
import { checkPackage } from '../../shared/package/check-package.ts';
import { CHIEF, CHIEF_SETTINGS, pageOf } from './support/administrators.ts';
import { openBrowser } from './support/browser.ts';
import { openPage, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

const FIRST = 'section[aria-labelledby=results] article h3 a';

t.test('the documentation for developers', async (t) => {
  const origin = await runningProduct(t);
  const browser = await openBrowser(t);

  t.test('a plugin page links to it, and its sample passes the checks', async (t) => {
    const { page, complaints } = await watchedPage(browser, {});
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
    t.strictSame(complaints, []);
    await page.context().close();
  });

  t.test('every finding has an anchor in each language', async (t) => {
    const { page, complaints } = await watchedPage(browser, { locale: 'ja-JP' });
    await page.goto(`${origin}/plugins/docs/#finding-JSON_TRAILING_COMMA`);
    await page.waitForFunction(() => scrollY > 0);
    const heading = page.getByRole('heading', { name: 'JSON_TRAILING_COMMA' });
    const { top, header } = await heading.evaluate((node) => ({
      top: node.getBoundingClientRect().top,
      header: document.querySelector('header')?.getBoundingClientRect().bottom ?? 0,
    }));
    t.ok(top >= header && top < 720, `visible below the header: ${top}`);
    const main = page.getByRole('main');
    t.match(await main.innerText(), '最後の項目の後のカンマを削除してください。');
    t.match(await main.innerText(), '"editorType": ["pixso",]');
    t.equal(
      await page.getAttribute('link[rel=canonical]', 'href'),
      `${origin}/plugins/docs/`,
      'canonical address',
    );
    t.equal(await page.locator('link[rel=alternate][hreflang]').count(), 7);
    t.match(await page.getAttribute('meta[name=description]', 'content'), 'プラグインのパッケージ化');
    t.strictSame(complaints, []);
    await page.context().close();
  });
});

t.test('links lead to the deployment’s own documentation', async (t) => {
  const DEVELOPER_DOCS_URL = 'https://docs.example/plugins?v=2#start';
  const origin = await runningProduct(t, { ...CHIEF_SETTINGS, DEVELOPER_DOCS_URL });
  const browser = await openBrowser(t);
  const { page } = await pageOf(browser, origin, CHIEF);
  await page.locator(FIRST).first().waitFor();
  const plugin = (await page.locator(FIRST).first().getAttribute('href')) ?? '';
  for (const path of [plugin, '/plugins/publish-plugin/single', '/plugins/publish-plugin/batch']) {
    await page.goto(origin + path);
    const link = page.getByRole('link', { name: 'Developer documentation' });
    await link.waitFor();
    t.equal(await link.getAttribute('href'), DEVELOPER_DOCS_URL, path);
    t.equal(await link.getAttribute('rel'), 'noopener noreferrer');
  }
  await page.context().close();
});
