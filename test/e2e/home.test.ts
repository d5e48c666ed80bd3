import type { Page } from 'playwright-core';
import sharp from 'sharp';
import t from 'tap';
import { until } from '../support/until.ts';
import { expect } from './support/expect.ts';
import { followRequests, isUnhydrated, loadUntil, newPage, openPage } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

/** CSS pixels of a desktop's window and of a phone's. */
const SIZES = [
  [1440, 900],
  [375, 812],
] as const;

const cards = (page: Page) => page.locator('section[aria-labelledby=results] article');
const at = (query: string) => (url: URL) => url.search.includes(query);
const names = async (page: Page): Promise<string[]> => {
  const headings = cards(page).locator('h3');
  // Skeletons may take the place of a list. innerText is empty for elements outside the window.
  return until(async () => {
    const found = await headings.allTextContents();
    return found.length > 0 && found;
  });
};

/** Opens a page and waits for its lists: a busy product sends it without them, and the browser loads them later. */
async function openWhole(page: Page, url: string): Promise<void> {
  await openPage(page, url);
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** Opens a page with what it loads when it is first used: a pointer that rests where it appears uses it at once. */
async function openUsed(page: Page, url: string): Promise<void> {
  const idle = followRequests(page);
  await openWhole(page, url);
  await page.mouse.move(9, 9);
  // What follows the first movement: the sign-in, and the slides of the banners.
  const isUsed = () =>
    page.evaluate(() => {
      const loaded = performance.getEntriesByType('resource');
      return ['/sign-in-dialog-window', '/embla-carousel'].every((part) =>
        loaded.some(({ name }) => name.includes(part)),
      );
    });
  await until(isUsed);
  await idle();
}

/** Paths of the assets and media that did not come from the browser's cache. */
function filesFromNetwork(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming && entry.transferSize > 0)
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => /^\/(?:plugins\/assets|api\/cmt\/media)\//.test(path)),
  );
}

/** Linear value of a channel from 0 to 255 (WCAG 2.2, relative luminance). */
function luminanceOf(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Runs in the page: makes the first banner white and its title invisible; returns the box of the title. */
function whiteWithoutText(): { x: number; y: number; width: number; height: number } {
  const slide = document.querySelector('[aria-roledescription=slide][aria-hidden=false]');
  const link = slide?.querySelector<HTMLElement>('a');
  const picture = slide?.querySelector('img');
  const textOf = (element: Element | undefined) =>
    [...(element?.childNodes ?? [])].find((one) => one.nodeType === Node.TEXT_NODE);
  const words = [...(link?.querySelectorAll('span') ?? [])].find((one) => textOf(one));
  const text = textOf(words);
  if (!link || !picture || !words || !text) throw new Error('no banner with a picture and a title');
  picture.style.visibility = 'hidden';
  link.style.background = 'white';
  const range = document.createRange();
  range.selectNodeContents(text);
  const { x, y, width, height } = range.getBoundingClientRect();
  words.style.visibility = 'hidden';
  return { x, y, width, height };
}

t.test('finding plugins on the home page', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;

  t.test('Enter searches immediately', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/`);
    const field = page.getByRole('combobox', { name: 'Search plugins' });
    await field.fill('icon');
    await field.press('Enter');
    await page.waitForURL(at('keyword=icon'));
    await page.getByRole('heading', { name: 'Results for “icon”' }).waitFor();
    t.match((await names(page)).join(), /icon/i);
  });

  t.test('a search without results can be cleared', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/?keyword=zzzzqqqq`);
    await t.resolves(page.getByText('No plugins match “zzzzqqqq”').waitFor());
    await page.getByText('Try a shorter or more general word.').waitFor();
    const popular = page.getByRole('region', { name: 'Popular plugins' });
    await popular.getByRole('heading', { level: 3 }).first().waitFor();
    await expect(popular.getByRole('link', { name: /\w/ }).first()).toHaveAttribute('href', /tag_id=\d+$/);
    for (const path of ['plugin/no-such-plugin', 'no-such-page', '403']) {
      const lost = await newPage(t, { expected: /404|403/ });
      await openPage(lost, `${origin}/plugins/${path}`);
      await lost
        .getByRole('region', { name: 'Popular plugins' })
        .getByRole('heading', { level: 3 })
        .first()
        .waitFor();
      await lost.close();
    }
    await page.getByRole('link', { name: 'Clear search' }).click();
    await page.waitForURL(`${origin}/plugins/`);
    await cards(page).first().waitFor();
  });

  t.test('tags and orders are links that filter and sort the list', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/`);
    const tags = page.getByRole('navigation', { name: 'Filter by tag' });
    await expect(tags.getByRole('link').first(), '"all" is first').toHaveAttribute('aria-current', 'true');
    const tag = tags.getByRole('link').nth(1);
    const name = await tag.innerText();
    await tag.click();
    await page.waitForURL(at('tag_id='));
    await page.getByRole('heading', { level: 2, name }).waitFor();
    await expect(tag).toHaveAttribute('aria-current', 'true');
    await page.getByRole('link', { name: 'Popular' }).click();
    await page.waitForURL(at('sort=1'));
    t.ok((await names(page)).length > 0);
  });

  t.test('an unknown tag gives an empty list', async (t) => {
    const page = await newPage(t, { expected: /status of 404/ });
    await openPage(page, `${origin}/plugins/?tag_id=987654`);
    await t.resolves(page.getByText('No plugins with this tag yet').waitFor());
  });

  t.test('trending plugins have a row of their own', async (t) => {
    const page = await newPage(t);
    const row = page.getByRole('region', { name: 'Trending' });
    // They are counted some seconds after the start, and pages are cached.
    await loadUntil(page, `${origin}/plugins/`, () => row.isVisible());
    await expect(row.getByRole('heading', { level: 3 })).toHaveCount(4);
    const name = await row.getByRole('heading', { level: 3 }).first().innerText();
    await row.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  });

  t.test('scrolling loads the list to its end', async (t) => {
    const page = await newPage(t);
    await openUsed(page, `${origin}/plugins/`);
    const first = await cards(page).count();
    t.ok(first > 8 && first <= 24, `${first} at first`);
    await page.waitForFunction(() => {
      scrollTo(0, document.body.scrollHeight);
      return document.body.innerText.includes('You’ve reached the end');
    });
    const total = await page.locator('section[aria-labelledby=results] [role=status]').first().innerText();
    const headings = page.locator(
      'section:is([aria-labelledby=featured], [aria-labelledby=recommended], [aria-labelledby=trending], [aria-labelledby=new], [aria-labelledby=results]) h3',
    );
    const shown = await headings.allTextContents();
    t.equal(`${shown.length} plugins`, total, 'plugins above the list are not repeated in it');
    t.equal(new Set(shown).size, shown.length, 'nothing twice');
  });

  t.test('what an IME composes is searched once it is chosen', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/`);
    const field = page.getByRole('combobox', { name: 'Search plugins' });
    await until(async () => !(await isUnhydrated(field)));
    await page.clock.install();
    await field.focus();
    const keyboard = await page.context().newCDPSession(page);
    for (const text of ['t', 'tu']) {
      await keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: 0 });
      await expect(field).toHaveValue(text);
      await page.clock.runFor(1000);
      t.equal(new URL(page.url()).search, '', text);
    }
    await keyboard.send('Input.insertText', { text: '图' });
    await expect(field).toHaveValue('图');
    await page.clock.runFor(1000);
    await page.waitForURL(at(`keyword=${encodeURIComponent('图')}`));
    await expect(field).toHaveValue('图');
  });

  t.test('"Refresh" changes the recommendations, an arrow the banner', async (t) => {
    const page = await newPage(t, { reducedMotion: 'reduce' });
    await openWhole(page, `${origin}/plugins/`);
    const recommended = page.locator('section[aria-labelledby=recommended] h3');
    const before = (await recommended.allInnerTexts()).join();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.waitForFunction(
      (text) =>
        [...document.querySelectorAll<HTMLElement>('[aria-labelledby=recommended] h3')]
          .map((one) => one.innerText)
          .join() !== text,
      before,
    );
    const current = page.locator('[aria-roledescription=slide][aria-hidden=false]');
    const first = await current.innerText();
    await page.getByRole('button', { name: 'Show slide 2' }).click();
    await page.waitForFunction(
      (text) =>
        document.querySelector<HTMLElement>('[aria-roledescription=slide][aria-hidden=false]')?.innerText !==
        text,
      first,
    );
    t.not(await current.innerText(), first);
  });

  t.test('the button of a banner says where it leads', async () => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/`);
    const banners = page.locator('[data-banner-area]');
    await banners.getByText('See Hue', { exact: true }).waitFor();
    await expect(banners.getByText('See more', { exact: true }), 'not a plugin').not.toHaveCount(0);
  });

  t.test('covers are visible without scrolling', async (t) => {
    for (const lang of ['en', 'zh-CN', 'ru']) {
      const page = await newPage(t);
      await page.context().addCookies([{ name: 'lang', value: lang, url: origin }]);
      await openPage(page, `${origin}/plugins/`);
      const lookAt = async (width: number, height: number) => {
        await page.setViewportSize({ width, height });
        return page.evaluate(() => ({
          hero: document.querySelector<HTMLElement>('main div:has(> div > search)')?.offsetHeight ?? 0,
          /** Of the first row in the window, whether each is whole. */
          covers: [
            ...document.querySelectorAll<HTMLImageElement>(
              ':is(article, [aria-labelledby=featured]) img[width]',
            ),
          ]
            .filter((image) => image.clientHeight > 100)
            .map((image) => image.getBoundingClientRect())
            .filter((box, _, [first]) => box.top === first?.top && box.left < innerWidth - 1)
            .map((box) => box.bottom <= innerHeight),
        }));
      };
      const tiles = page.locator('[aria-labelledby=featured] li');
      await until(async () => (await tiles.count()) > 0 && !(await isUnhydrated(tiles.first())));
      for (const [width, height] of SIZES) {
        // A busy product sends the page without its lists, which are loaded later.
        const seen = await until(async () => {
          const now = await lookAt(width, height);
          return now.covers.length > 0 && now;
        });
        t.ok(seen.covers.every(Boolean), `${lang}: the whole first row of covers is in ${width} x ${height}`);
        if (width === 1440) t.ok(seen.covers.length >= 3, `${lang}: ${seen.covers.length} covers in the row`);
        t.ok(seen.hero > 0 && seen.hero <= 200, `${lang}: the hero is ${seen.hero} px high`);
      }
      for (const count of [2, 1]) {
        await tiles.evaluateAll((all, count) => {
          for (const tile of all.slice(count)) tile.remove();
        }, count);
        for (const [width, height] of SIZES) {
          const { covers } = await lookAt(width, height);
          t.strictSame(covers, Array(count).fill(true), `${lang}: ${count} featured at ${width} px`);
        }
      }
    }
  });

  t.test('the hero text is hidden during a search', async (t) => {
    const page = await newPage(t, { reducedMotion: 'reduce' });
    const height = () =>
      page.evaluate(
        () => document.querySelector<HTMLElement>('main div:has(> div > search)')?.offsetHeight ?? 0,
      );
    await openPage(page, `${origin}/plugins/`);
    const before = await height();
    await page.getByRole('combobox', { name: 'Search plugins' }).fill('icon');
    await page.waitForURL(at('keyword=icon'));
    await page.getByRole('heading', { name: 'Results for “icon”' }).waitFor();
    const folded = await height();
    t.ok(folded < before, `${before} px, then ${folded}`);
    await expect(page.getByRole('heading', { level: 1 }), 'screen readers still get the heading').toHaveCount(
      1,
    );
  });

  t.test('the title of a banner is readable on a white picture', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/`);
    for (const width of [1440, 768, 375]) {
      await page.setViewportSize({ width, height: 900 });
      await page.locator('[aria-roledescription=slide][aria-hidden=false]').waitFor();
      const place = await page.evaluate(whiteWithoutText);
      const seen = sharp(await page.screenshot({ clip: place }));
      const { channels } = await seen.stats();
      const [red = 0, green = 0, blue = 0] = channels.map(({ max }) => luminanceOf(max));
      const contrast = 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
      t.ok(contrast >= 4.5, `${contrast.toFixed(2)} : 1 at ${width} px`);
    }
  });

  t.test('recommended plugins fill whole rows', async (t) => {
    const page = await newPage(t);
    await openWhole(page, `${origin}/plugins/`);
    for (const [width, columns] of [
      [1440, 4],
      [1100, 3],
      [800, 2],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const lefts = await page
        .locator('section[aria-labelledby=recommended] li')
        .evaluateAll((items) =>
          items.filter((item) => item.checkVisibility()).map((item) => item.getBoundingClientRect().left),
        );
      t.equal(new Set(lefts).size, columns, `${width} px`);
      t.equal(lefts.length % columns, 0, `${lefts.length} in rows of ${columns}`);
    }
  });

  t.test('the page lists and searches plugins without scripts', async (t) => {
    const page = await newPage(t, { javaScriptEnabled: false });
    // A busy product sends a page without its list; without scripts the page must be requested again.
    const lists = (more: number) =>
      until(async () => {
        if ((await cards(page).count()) > more) return true;
        await page.reload();
        return false;
      });
    await page.goto(`${origin}/plugins/`);
    await t.resolves(lists(8));
    await page.getByRole('combobox', { name: 'Search plugins' }).fill('icon');
    await page.getByRole('combobox', { name: 'Search plugins' }).press('Enter');
    await page.waitForURL(at('keyword=icon'));
    await t.resolves(lists(0));
  });

  t.test('a lost connection shows an error, and a retry works', async (t) => {
    const page = await newPage(t, { expected: /ERR_FAILED/ });
    await openPage(page, `${origin}/plugins/`);
    await page.route('**/api/cmt/plugin/list*', (route) => route.abort());
    await page.getByRole('link', { name: 'Popular' }).click();
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unroute('**/api/cmt/plugin/list*');
    await retry.click();
    await page.locator('[aria-labelledby=results] article').first().waitFor();
    await t.resolves(retry.waitFor({ state: 'detached' }));
  });

  t.test('two filters changed at the same time are both applied', async (t) => {
    const page = await newPage(t);
    await openPage(page, `${origin}/plugins/`);
    const tag = page.getByRole('navigation', { name: 'Filter by tag' }).getByRole('link').nth(1);
    const address = (await tag.getAttribute('href')) ?? '';
    const links = await Promise.all([
      tag.elementHandle(),
      page.getByRole('link', { name: 'Popular' }).elementHandle(),
    ]);
    await page.evaluate((both) => {
      for (const link of both) if (link instanceof HTMLElement) link.click();
    }, links);
    await page.waitForURL(`${origin}${address}&sort=1`);
    await page.getByRole('link', { name: 'Popular' }).and(page.locator('[aria-current]')).waitFor();
    await expect(tag).toHaveAttribute('aria-current', 'true');
  });

  t.test('R 10.21: a second visit loads no file again, whatever has happened to the cookies', async (t) => {
    const page = await newPage(t);
    await openUsed(page, `${origin}/plugins/`);
    const first = await filesFromNetwork(page);
    t.ok(first.some((path) => path.startsWith('/plugins/assets/')));
    t.ok(first.some((path) => path.startsWith('/api/cmt/media/')));
    await page.context().addCookies([{ name: 'theme', value: 'dark', url: origin }]);
    const second = await page.context().newPage();
    await openUsed(second, `${origin}/plugins/`);
    t.strictSame(await filesFromNetwork(second), []);
  });
});
