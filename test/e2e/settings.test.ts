import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { axeFindings } from './access/check-screen.ts';
import { adminPage, memberPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { hrefs, shownWords, withHeader } from './support/header.ts';
import { newPage, openPage } from './support/page.ts';
import { ownDemo } from './support/product.ts';

const APP = 'https://editor.example/files';
const DEVELOPER_DOCS = 'https://docs.example/plugins?v=2#start';
const PLUGIN = '/plugins/plugin/square-icon-harbor';
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="32"><rect width="64" height="32" fill="#222"/></svg>';

/** A protocol text of a deployment, with markup that must stay text. */
const TEXT = `# Our <em>terms</em>

<script>document.title = 'taken'</script>

## First

[a trap](javascript:document.title='taken') and [a way out](https://example.org/) and [home](/plugins/).

## Second

- one
  - two

## Third

<img src=x onerror="document.title='taken'">

## Fourth

${'Many words. '.repeat(800)}

## Fifth

The end.
`;

t.test('a site with its own brand, texts and links', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-settings-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'logo.svg'), LOGO);
  await writeFile(join(folder, 'en-US.md'), TEXT);
  const product = await ownDemo(t, {
    BRAND_NAME: 'Atelier',
    BRAND_COLOR: '#ffe600',
    BRAND_LOGO: join(folder, 'logo.svg'),
    PROTOCOL_DIR: folder,
    DEVELOPER_DOCS_URL: DEVELOPER_DOCS,
    APP_URL: APP,
    HELPCENTER_URL: 'http://127.0.0.1:9/help',
  });
  const { origin } = product;

  for (const colorScheme of ['light', 'dark'] as const) {
    t.test(`a brand colour of low contrast, ${colorScheme}`, async (t) => {
      const page = await newPage(t, { colorScheme, reducedMotion: 'reduce' });
      await openPage(page, `${origin}/plugins/`);
      t.equal(await page.title(), 'Atelier: plugins for designing together');
      await expect(page.locator('header').first().getByRole('link', { name: 'Atelier' })).toHaveCount(1);
      const logo = page.locator('header img').first();
      t.strictSame(await logo.evaluate((image: HTMLImageElement) => [image.complete, image.naturalWidth]), [
        true,
        64,
      ]);
      await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', /^\/plugins\/brand\/\w+\.svg$/);
      const color = await page
        .getByRole('link', { name: 'Start for free' })
        .first()
        .evaluate((link) => getComputedStyle(link).backgroundColor);
      t.not(color, 'rgb(0, 105, 75)', 'not our green');
      t.strictSame(await axeFindings(page), []);
      await openPage(page, origin + PLUGIN);
      // A busy product sends the page without the plugin, which is loaded later.
      await t.resolves(page.waitForFunction(() => document.title === 'Icon Harbor · Atelier'));
      t.strictSame(await axeFindings(page), []);
      await expect(page.getByText('Plugin Square'), 'our own name does not appear').toHaveCount(0);
    });
  }

  t.test('the protocol is the deployment’s own, as text only', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/protocol`);
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Our <em>terms</em>', {
      useInnerText: true,
    });
    await expect(main).toContainText("<script>document.title = 'taken'</script>", { useInnerText: true });
    await expect(main).toContainText('<img src=x onerror=');
    await expect(main.locator('script, img, em')).toHaveCount(0);
    t.match(await page.title(), /^Our <em>terms<\/em> · /);
    const links = await main
      .locator('p a')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
    t.strictSame(links, ['https://example.org/', '/plugins/']);
    await expect(main).toContainText('a trap');
    await expect(main.locator('ul ul li')).toHaveText('two', { useInnerText: true });
  });

  t.test('its table of contents links to the sections, below the header', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/protocol`);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await expect(contents.getByRole('link')).toHaveText(['First', 'Second', 'Third', 'Fourth', 'Fifth'], {
      useInnerText: true,
    });
    await contents.getByRole('link', { name: 'Third' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash === '#section-3' && scrollY > 0);
    const top = await page
      .getByRole('heading', { name: 'Third' })
      .evaluate((node) => node.getBoundingClientRect().top);
    const header = await page
      .locator('header')
      .first()
      .evaluate((node) => node.getBoundingClientRect().bottom);
    t.ok(top >= header, 'the heading is not under the header');
  });

  t.test('a text in another language says which language it is', async (t) => {
    const page = await newPage(t, { locale: 'ko-KR', viewport: { width: 320, height: 640 } });
    await page.goto(`${origin}/plugins/protocol`);
    await expect(page.getByRole('main')).toContainText('English');
    await expect(page.getByRole('heading', { level: 1 })).toHaveAttribute('lang', 'en-US');
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    t.ok(wider <= 0, 'no wider than a small phone');
  });

  t.test('an installed plugin opens in the editor', async (t) => {
    const page = await memberPage(t, product, 'Mara');
    await openPage(page, origin + PLUGIN);
    const open = page.locator('article').getByRole('link', { name: 'Open in editor' });
    await expect(open, 'no link before the installation').toHaveCount(0);
    await page.locator('article header').getByRole('button', { name: 'Install Icon Harbor' }).click();
    await open.waitFor();
    await expect(open).toHaveAttribute('href', APP);
  });

  t.test('the workbench link is shown, an external help center has none', async (t) => {
    const page = await withHeader(t, origin);
    t.strictSame(await shownWords(page), ['product', 'community', 'publishing']);
    t.strictSame(await hrefs(page.locator('header nav')), [APP, '/plugins/', '/plugins/publishing']);
    t.strictSame(await hrefs(page.locator('footer nav')), [
      APP,
      '/plugins/collections',
      '/plugins/publishing',
      DEVELOPER_DOCS,
    ]);
    const member = await memberPage(t, product, 'Lea', { path: '/plugins/' });
    await expect(member.getByRole('link', { name: 'Open workbench' })).toHaveAttribute('href', APP);
  });

  t.test('links lead to the deployment’s own documentation', async (t) => {
    const page = await adminPage(t, product);
    for (const path of [PLUGIN, '/plugins/publish-plugin/single', '/plugins/publish-plugin/batch']) {
      await page.goto(origin + path);
      const link = page.getByRole('main').getByRole('link', { name: 'Developer documentation' });
      await link.waitFor();
      await expect(link, path).toHaveAttribute('href', DEVELOPER_DOCS);
      await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
    }
  });
});
