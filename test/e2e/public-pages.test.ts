import sharp from 'sharp';
import t from 'tap';
import { expect } from './support/expect.ts';
import { newPage, openPage, waitForHydration } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

t.test('public pages', async (t) => {
  const { origin } = await steadyProduct();
  const list = await (await fetch(`${origin}/plugins/sitemap-0.xml`)).text();
  const plugin = /<loc>[^<]*(\/plugins\/plugin\/[\w-]+)<\/loc>/.exec(list)?.[1] ?? '';

  t.test('address parameters that the server ignores work in the browser', async (t) => {
    const page = await newPage(t, { locale: 'en-US' });
    for (const path of ['/plugins/?utm_source=mail&keyword=chart', '/plugins/protocol?utm_source=mail']) {
      await openPage(page, origin + path);
      t.equal(page.url(), origin + path);
    }
  });

  t.test('a shared address with a language sets the language of the whole visit', async (t) => {
    const page = await newPage(t, { locale: 'es-ES' });
    await page.goto(`${origin}${plugin}?lang=ru`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'ru-RU');
    await waitForHydration(page);
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'lang');
    t.hasStrict(cookie, { value: 'ru', path: '/', sameSite: 'Lax' });
    await page.goto(`${origin}/plugins/`);
    await expect(page.locator('html'), 'also on addresses without a language').toHaveAttribute(
      'lang',
      'ru-RU',
    );
    await openPage(page, `${origin}/plugins/?lang=jp`);
    await expect(page.locator('html'), 'also on addresses with another language').toHaveAttribute(
      'lang',
      'ru-RU',
    );
    t.hasStrict(
      (await page.context().cookies()).find(({ name }) => name === 'lang'),
      { value: 'ru' },
    );
  });

  t.test('invalid parameters are ignored', async (t) => {
    const page = await newPage(t, { locale: 'es-ES' });
    await openPage(page, `${origin}/plugins/?lang=%3Cscript%3E`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-ES');
    t.strictSame(
      (await page.context().cookies()).filter(({ name }) => name === 'lang'),
      [],
    );
  });

  t.test('a plugin page has sharing metadata', async (t) => {
    const page = await newPage(t);
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
  });

  t.test('unknown addresses give a page that says so', async (t) => {
    const page = await newPage(t, { expected: /status of 40[34]/ });
    const answer = await page.goto(`${origin}/price/`);
    t.equal(answer?.status(), 404);
    await waitForHydration(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found', {
      useInnerText: true,
    });
    await page.getByRole('main').getByRole('link', { name: 'Back to home' }).click();
    await page.waitForURL(`${origin}/plugins/`);
    await page.getByRole('combobox', { name: 'Search plugins' }).waitFor();
  });
});
