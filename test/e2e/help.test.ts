import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import t from 'tap';
import { PAGE_PATH_HEADER, REQUESTED_WITH, REQUESTED_WITH_HEADER } from '../../shared/constants.ts';
import { adminPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { choose, loadUntil, moveByKeyboard, newPage, openPage, waitForHydration } from './support/page.ts';
import { sharedEmptySite } from './support/product.ts';

const BACKSTAGE = '/plugins/backstage-index/help';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

type Call = { method?: string; from?: string; data?: object };

/** Calls the product with the session of the page, as if from the page `from`. */
async function call(page: Page, path: string, { method = 'GET', from = '/plugins/', data }: Call = {}) {
  const headers = { [REQUESTED_WITH_HEADER]: REQUESTED_WITH, [PAGE_PATH_HEADER]: from };
  const answer = await page.request.fetch(new URL(path, page.url()).href, { method, headers, data });
  return { status: answer.status(), body: await answer.json() };
}

/** Reloads until the heading is shown: public pages are cached for some seconds. */
async function untilShown(page: Page, heading: string): Promise<void> {
  await loadUntil(page, page.url(), async () => {
    await page.locator('main h1').waitFor();
    return (await page.getByRole('heading', { name: heading }).count()) > 0;
  });
}

t.test('a help center, from the first article to its reader', async (t) => {
  const product = await sharedEmptySite();
  const { origin } = product;
  await product.pool.query('delete from help_article; delete from help_category');

  t.test('an empty help center shows a message, and administrators a way to fill it', async (t) => {
    const page = await newPage(t);
    t.equal((await page.goto(`${origin}/help/`))?.status(), 200);
    await page.getByText('No articles yet').waitFor();
    await expect(page.getByRole('link', { name: 'Write an article' })).toHaveCount(0);
    const admin = await adminPage(t, product);
    await admin.goto(`${origin}/help/`);
    await admin.getByRole('link', { name: 'Write an article' }).click();
    await t.resolves(admin.waitForURL(`${origin}${BACKSTAGE}/new`));
  });

  t.test('an administrator writes an article with a picture, by keyboard and in two languages', async (t) => {
    const page = await adminPage(t, product, { expected: /status of 415/ });
    await page.goto(`${origin}${BACKSTAGE}`);
    await page.getByText('No articles yet').waitFor();

    await page.getByRole('tab', { name: 'Categories' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add a category' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('First steps');
    await page.keyboard.press('Enter');
    await page.getByText('First steps').waitFor();

    await page.getByRole('link', { name: 'Write an article' }).click();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Please give it a title in at least one language.').waitFor();
    await page.getByLabel('Title').fill('Where do I begin?');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Before you publish, write a title and a text in at least one language.').waitFor();
    await page
      .getByLabel('Text', { exact: true })
      .fill('## Look around\n\nPress **Install**. <b>No HTML</b>');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('heading', { name: 'Look around' }).waitFor();
    await preview.getByText('<b>No HTML</b>').waitFor();

    const chooser = page.getByLabel('Insert a picture');
    const file = { name: 'a.png', mimeType: 'image/png' };
    await chooser.setInputFiles({ ...file, buffer: Buffer.from('no picture') });
    await page.getByText('Incorrect image format!').waitFor();
    await page.getByLabel('Text', { exact: true }).press('Control+End');
    await chooser.setInputFiles({ ...file, buffer: PIXEL });
    await preview.getByRole('img', { name: 'description of the picture' }).waitFor();
    await page.keyboard.type('The square');
    await preview.getByRole('img', { name: 'The square' }).waitFor();

    await page.getByRole('combobox', { name: 'Category' }).click();
    await choose(page.getByRole('option', { name: 'First steps' }));
    await page.getByRole('tab', { name: '日本語' }).click();
    await page.getByLabel('Title').fill('はじめに');
    await page.getByLabel('Text', { exact: true }).fill('ようこそ');

    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByText('Keep editing').click();
    const { promise: answer, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/helpcenter/manager/article', (route) => answer.then(() => route.continue()));
    await page.getByRole('button', { name: 'Save draft' }).click();
    // What is typed now would not be on the page that follows.
    await expect(page.locator('form[inert]').getByLabel('Title')).toHaveValue('はじめに');
    release();
    await page.getByText('Saved as a draft').waitFor();
    await page.waitForURL(/\/help\/\d+$/);
    const [id = ''] = new URL(page.url()).pathname.match(/\d+$/) ?? [];
    const { status, body } = await call(page, `/api/helpcenter/article/${id}`);
    t.strictSame([status, body.code], [404, 'ARTICLE_NOT_FOUND'], 'a draft is not public');

    await page.getByRole('tab', { name: '日本語' }).click();
    await page.getByLabel('Text', { exact: true }).fill('ようこそ、広場へ');
    // From here on: the page of the article has been read.
    const lists = Promise.withResolvers<void>();
    await page.route('**/helpcenter/manager/**', async (route) => {
      if (route.request().method() === 'GET') await lists.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('The article is published').waitFor();
    // What is stored is no reason to ask, also before the lists have been read again.
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    lists.resolve();
  });

  t.test('who goes to another page while an article is sent stays there', async (t) => {
    const page = await adminPage(t, product);
    await page.goto(`${origin}${BACKSTAGE}/new`);
    await page.getByLabel('Title').fill('On the way');
    const [answer, code] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/helpcenter/manager/article', (route) => answer.promise.then(() => route.continue()));
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.locator('form[inert]').waitFor();
    await page.route('**/*.js', (route) => code.promise.then(() => route.continue()));
    await page.getByRole('link', { name: 'Banners' }).click();
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
    await asked.getByRole('button', { name: 'Leave' }).click();
    answer.resolve();
    await page.getByText('Saved as a draft').waitFor();
    // Without a network they would wait for it here.
    await page.locator('form:not([inert])').getByLabel('Title').waitFor();
    code.resolve();
    await page.getByRole('heading', { level: 1, name: 'Banners' }).waitFor();
    t.equal(new URL(page.url()).pathname, '/plugins/backstage-index/banner-config');
    await product.pool.query("delete from help_article where title::text like '%On the way%'");
  });

  t.test('a picture that arrives after a change of language goes to its own text', async (t) => {
    const page = await adminPage(t, product);
    const text = page.getByLabel('Text', { exact: true });
    await page.goto(`${origin}${BACKSTAGE}/new`);
    await text.fill('In English.');
    let arrive = (): void => undefined;
    const mayArrive = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/picture', async (route) => {
      await mayArrive;
      await route.continue();
    });
    await page
      .getByLabel('Insert a picture')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PIXEL });
    await page.getByRole('tab', { name: '日本語' }).click();
    await text.fill('日本語で。');
    const arrived = page.waitForResponse('**/picture');
    arrive();
    await arrived;
    await page.getByRole('tab', { name: 'English' }).click();
    await expect(text).toHaveValue(/^In English\.\n\n!\[.+\]\(.+\)\n$/);
    await page.getByRole('tab', { name: '日本語' }).click();
    await expect(text).toHaveValue('日本語で。');
  });

  t.test('a visitor opens it from the header in their language', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/`);
    await page.locator('header nav').getByRole('link', { name: 'Help center' }).click();
    const help = page;
    await t.resolves(help.waitForURL((url) => url.pathname === '/help/'));
    await untilShown(help, 'First steps');
    await waitForHydration(help);
    await help.getByRole('link', { name: 'Where do I begin?' }).focus();
    await help.keyboard.press('Enter');
    await help.getByRole('heading', { level: 1, name: 'Where do I begin?' }).waitFor();
    await help.getByText('<b>No HTML</b>').waitFor();
    const picture = help.getByRole('img', { name: 'The square' });
    await picture.scrollIntoViewIfNeeded();
    await help.waitForFunction(
      () => document.querySelector<HTMLImageElement>('article img')?.naturalWidth === 16,
    );

    const sent = await (await help.request.get(help.url())).text();
    t.match(sent, /<h1[^>]*>Where do I begin\?<\/h1>/, 'rendered on the server');
    t.match(sent, /<title>Where do I begin\? · [^<]+<\/title>/);
    t.match(sent, /<meta name="description" content="Press Install\. &lt;b&gt;No HTML&lt;\/b&gt;">/);
    t.match(sent, new RegExp(`<link rel="canonical" href="${origin}/help/\\d+">`));
    t.match(sent, new RegExp(`<link rel="alternate" hreflang="ja" href="${origin}/help/\\d+\\?lang=jp">`));
    t.notMatch(sent, /<b>No HTML/);

    const japanese = await newPage(t);
    await japanese.goto(`${origin}/help/jp/`);
    await t.resolves(japanese.waitForURL(`${origin}/help/?lang=jp`));
    await japanese.getByRole('link', { name: 'はじめに' }).click();
    await japanese.getByText('ようこそ').waitFor();
    await expect(japanese.locator('html')).toHaveAttribute('lang', 'ja-JP');

    const russian = await newPage(t, { locale: 'ru-RU' });
    await russian.goto(`${origin}/help/`);
    await russian.getByRole('link', { name: 'Where do I begin?' }).click();
    await russian.getByText('Эта статья есть только на одном языке: English.').waitFor();
  });

  t.test('articles are ordered by keyboard', async (t) => {
    const page = await adminPage(t, product);
    await page.goto(`${origin}${BACKSTAGE}`);
    for (const title of ['Draft', 'Second']) {
      const data = { title: { 'en-US': title }, default_lang: 'en-US' };
      await call(page, '/api/helpcenter/article', { method: 'POST', from: BACKSTAGE, data });
    }
    await page.reload();
    const links = page
      .getByRole('list', { name: 'No category' })
      .getByRole('link', { name: /^(Draft|Second)$/ });
    await links.first().waitFor();
    t.strictSame(await links.allTextContents(), ['Draft', 'Second']);
    await moveByKeyboard(page, 'Draft', 'ArrowDown', ['1 of 2', '2 of 2']);
    await page.getByText('The order is saved.').waitFor();
    await page.reload();
    await links.first().waitFor();
    t.strictSame(await links.allTextContents(), ['Second', 'Draft']);
  });

  t.test('an article is deleted after a confirmation', async (t) => {
    const page = await adminPage(t, product);
    await page.goto(`${origin}${BACKSTAGE}`);
    await page.getByRole('button', { name: 'Delete “Draft”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted').first().waitFor();
    await page.getByRole('link', { name: 'Draft', exact: true }).waitFor({ state: 'detached' });
    await page.goto(`${origin}/plugins/backstage-index/audit-trail`);
    await page.getByText('Deleted a help article').waitFor();
  });

  t.test('a table fits the page on a phone and scrolls by keyboard', async (t) => {
    const writer = await adminPage(t, product);
    await writer.goto(`${origin}/plugins/`);
    const columns = Array.from({ length: 9 }, (_, column) => `Column number ${column}`);
    const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
    const body = [
      row(columns),
      row(columns.map(() => '---')),
      row(columns.map((name) => `${name} <b>`)),
    ].join('\n');
    const article = {
      title: { 'en-US': 'Keys' },
      body: { 'en-US': `Shortcuts of the palette.\n\n${body}` },
      default_lang: 'en-US',
      is_published: true,
    };
    const added = await call(writer, '/api/helpcenter/article', {
      method: 'POST',
      from: BACKSTAGE,
      data: article,
    });
    const page = await newPage(t, { viewport: { width: 375, height: 760 } });
    await openPage(page, `${origin}/help/${added.body.data.id}`);
    await page.getByRole('columnheader', { name: 'Column number 8' }).waitFor();
    await page.getByRole('cell', { name: 'Column number 8 <b>' }).waitFor();
    t.equal(
      await page.evaluate(() => document.documentElement.scrollWidth),
      375,
      'the page does not scroll horizontally',
    );
    const region = page.getByRole('region', { name: /^Column number 0, / });
    await region.focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => (document.activeElement?.scrollLeft ?? 0) > 0);
    const { violations } = await new AxeBuilder({ page }).include('article').analyze();
    t.strictSame(
      violations.map(({ id }) => id),
      [],
    );
  });

  t.test('a visitor searches by keyboard, and the address can be shared', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/help/`);
    const field = page.getByRole('searchbox', { name: 'Search help' });
    await field.focus();
    await page.keyboard.type('palette');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '1 article for “palette”' }).waitFor();
    await t.resolves(page.waitForURL(`${origin}/help/?q=palette`));
    await page.getByText('Shortcuts of the palette.').waitFor();
    await field.fill('nowhere to be found');
    await page.keyboard.press('Enter');
    await page.getByText('No articles for “nowhere to be found”').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Keys' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    const sent = await (await page.request.get(`${origin}/help/?q=palette&lang=en`)).text();
    t.match(sent, /<h2[^>]*>1 article for “palette”<\/h2>/, 'rendered on the server');
    await openPage(page, `${origin}/help/?q=palette`);
    await page.getByRole('link', { name: 'All articles' }).click();
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await t.resolves(page.waitForURL(`${origin}/help/`));
  });
});
