import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { openBrowser } from './support/browser.ts';
import { openPage, waitForHydration, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

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

t.test('public pages', async (t) => {
  const texts = await mkdtemp(join(tmpdir(), 'plugin-square-protocol-'));
  t.teardown(() => rm(texts, { recursive: true, force: true }));
  await writeFile(join(texts, 'en-US.md'), TEXT);
  const origin = await runningProduct(t, { PROTOCOL_DIR: texts });
  const browser = await openBrowser(t);
  const list = await (await fetch(`${origin}/plugins/sitemap-0.xml`)).text();
  const plugin = /<loc>[^<]*(\/plugins\/plugin\/[\w-]+)<\/loc>/.exec(list)?.[1] ?? '';

  t.test('address parameters that the server ignores work in the browser', async (t) => {
    const { page } = await watchedPage(browser, { locale: 'en-US' });
    for (const path of ['/plugins/?utm_source=mail&keyword=chart', '/plugins/protocol?utm_source=mail']) {
      await openPage(page, origin + path);
      t.equal(page.url(), origin + path);
    }
    await page.close();
  });

  t.test('a shared address with a language sets the language of the whole visit', async (t) => {
    const { page } = await watchedPage(browser, { locale: 'es-ES' });
    await page.goto(`${origin}${plugin}?lang=ru`);
    t.equal(await page.getAttribute('html', 'lang'), 'ru-RU');
    await waitForHydration(page);
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'lang');
    t.hasStrict(cookie, { value: 'ru', path: '/', sameSite: 'Lax' });
    await page.goto(`${origin}/plugins/`);
    t.equal(await page.getAttribute('html', 'lang'), 'ru-RU', 'also on addresses without a language');
    await openPage(page, `${origin}/plugins/?lang=jp`);
    t.equal(await page.getAttribute('html', 'lang'), 'ru-RU', 'also on addresses with another language');
    t.hasStrict(
      (await page.context().cookies()).find(({ name }) => name === 'lang'),
      { value: 'ru' },
    );
    await page.context().close();
  });

  t.test('invalid parameters are ignored', async (t) => {
    const { page } = await watchedPage(browser, { locale: 'es-ES' });
    await openPage(page, `${origin}/plugins/?lang=%3Cscript%3E`);
    t.equal(await page.getAttribute('html', 'lang'), 'es-ES');
    t.strictSame(
      (await page.context().cookies()).filter(({ name }) => name === 'lang'),
      [],
    );
    await page.context().close();
  });

  t.test('a plugin page has sharing metadata', async (t) => {
    const { page } = await watchedPage(browser, {});
    await page.goto(`${origin}${plugin}?lang=jp`);
    const content = (name: string) => page.getAttribute(`meta[property="${name}"]`, 'content');
    const picture = (await content('og:image')) ?? '';
    t.match(new URL(picture).pathname, /^\/api\/cmt\/media\/[0-9a-f]{32}-1280\.webp$/);
    const answer = await fetch(origin + new URL(picture).pathname + new URL(picture).search);
    t.equal(answer.headers.get('content-type'), 'image/webp');
    const { width, height } = await sharp(new Uint8Array(await answer.arrayBuffer())).metadata();
    t.strictSame(
      [String(width), String(height)],
      [await content('og:image:width'), await content('og:image:height')],
    );
    t.equal(await content('og:image:alt'), await page.locator('h1').innerText());
    t.equal(await page.locator('link[rel=alternate][hreflang]').count(), 7);
    await page.context().close();
  });

  t.test('the protocol is the deployment’s own, as text only', async (t) => {
    const { page } = await watchedPage(browser, {});
    await openPage(page, `${origin}/plugins/protocol`);
    const main = page.getByRole('main');
    t.equal(await main.getByRole('heading', { level: 1 }).innerText(), 'Our <em>terms</em>');
    t.match(await main.innerText(), "<script>document.title = 'taken'</script>");
    t.match(await main.innerText(), '<img src=x onerror=');
    t.equal(await main.locator('script, img, em').count(), 0);
    t.match(await page.title(), /^Our <em>terms<\/em> · /);
    const links = await main
      .locator('p a')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
    t.strictSame(links, ['https://example.org/', '/plugins/']);
    t.match(await main.innerText(), 'a trap');
    t.equal(await main.locator('ul ul li').innerText(), 'two');
    await page.context().close();
  });

  t.test('its table of contents links to the sections, below the header', async (t) => {
    const { page } = await watchedPage(browser, {});
    await openPage(page, `${origin}/plugins/protocol`);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    t.strictSame(await contents.getByRole('link').allInnerTexts(), [
      'First',
      'Second',
      'Third',
      'Fourth',
      'Fifth',
    ]);
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
    await page.context().close();
  });

  t.test('a text in another language says which language it is', async (t) => {
    const { page } = await watchedPage(browser, { locale: 'ko-KR', viewport: { width: 320, height: 640 } });
    await page.goto(`${origin}/plugins/protocol`);
    t.match(await page.getByRole('main').innerText(), 'English');
    t.equal(await page.getByRole('heading', { level: 1 }).getAttribute('lang'), 'en-US');
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    t.ok(wider <= 0, 'no wider than a small phone');
    await page.context().close();
  });

  t.test('unknown addresses give a page that says so', async (t) => {
    const { page } = await watchedPage(browser, { expected: /status of 40[34]/ });
    for (const path of ['/price/', '/app', '/plugins/nowhere', '/plugins/protocol/x', '/user/login/x']) {
      const answer = await page.goto(origin + path);
      t.equal(answer?.status(), 404, path);
      await waitForHydration(page);
      t.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Page not found', path);
      t.equal(await page.getAttribute('meta[name=robots]', 'content'), 'noindex', path);
    }
    await page.getByRole('main').getByRole('link', { name: 'Back to home' }).click();
    await page.waitForURL(`${origin}/plugins/`);
    await page.getByRole('searchbox').or(page.getByRole('combobox')).first().waitFor();
    await page.context().close();
  });

  t.test('a page without permission says so and links to the home page', async (t) => {
    const { page } = await watchedPage(browser, { expected: /status of 403/ });
    const answer = await page.goto(`${origin}/plugins/403`);
    t.equal(answer?.status(), 403);
    await waitForHydration(page);
    const main = page.getByRole('main');
    t.equal(
      await main.getByRole('heading', { level: 1 }).innerText(),
      'The current account has no permission.',
    );
    t.match(await main.innerText(), 'You do not have permission to access this page');
    await main.getByRole('link', { name: 'Back to home' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/plugins/`);
    await page.context().close();
  });
});
