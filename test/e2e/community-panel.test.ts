import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { CAROUSEL_STEP } from '../../shared/constants.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage, type PageOptions } from './support/page.ts';
import { sharedWiderSite } from './support/product.ts';

const FEATURED = '**/api/cmt/community/featured';
const ACTIVITY = '**/api/cmt/activity/activity/info?*';
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"/>';

function work(id: number, changes: object = {}) {
  return {
    id,
    title: `Work ${id}`,
    lang: 'en-US',
    author: `Author ${id}`,
    url: `/community/work/${id}`,
    picture: { key: `work${id}`, widths: [320, 640], width: 800, height: 600 },
    view_num: 10_000,
    like_num: 9999,
    ...changes,
  };
}

const WORKS = [1, 2, 3, 4, 5].map((id) => work(id));
const CARD = { view_num: 10_000, participate_num: 9999, cover: '', tutorial_url: '/designskills/' };

type Answers = { works?: unknown; activity?: unknown };

/** Opens the home page with these answers of the community; the panel stays closed. */
async function home(
  t: Test,
  origin: string,
  { works, activity }: Answers,
  options: PageOptions = {},
): Promise<Page> {
  const page = await newPage(t, options);
  await page.clock.install();
  await page.route('**/api/cmt/media/work*', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }),
  );
  await page.route(FEATURED, (route) =>
    route.fulfill({ json: works ?? { code: 0, message: 'ok', data: { work_list: WORKS } } }),
  );
  await page.route(ACTIVITY, (route) =>
    route.fulfill({ json: activity ?? { code: 200, message: 'ok', data: CARD } }),
  );
  await openPage(page, `${origin}/plugins/`);
  return page;
}

const opener = (page: Page) => page.locator('header [data-section=community] button').first();
const carousel = (page: Page) => page.getByRole('region', { name: 'Featured works' });
const card = (page: Page) => page.locator('header section', { hasText: 'Community activity' });
const shownPlace = (page: Page) =>
  carousel(page).locator('button[aria-current=true]').getAttribute('aria-label');

async function open(page: Page): Promise<void> {
  await opener(page).focus();
  await page.keyboard.press('Enter');
}

/** Waits for a work: the page draws it a moment after the timer that chose it. */
const shows = (page: Page, place: string) =>
  carousel(page).locator(`button[aria-current=true][aria-label="${place}"]`).waitFor();

/** Opens the panel and stops the clock: time passes only when the test advances it, also for answers. */
async function openPanel(page: Page, ...parts: ((page: Page) => Locator)[]): Promise<void> {
  await open(page);
  for (const part of parts) await part(page).waitFor();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
}

t.test('the community in the header', async (t) => {
  const product = await sharedWiderSite();
  const { origin } = product;

  t.test('nothing is requested before the menu is opened', async (t) => {
    const page = await home(t, origin, {});
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await expect(carousel(page)).toHaveCount(0);
    await open(page);
    await carousel(page).waitFor();
    await card(page).waitFor();
    t.equal(asked.filter((path) => path.startsWith('/api/cmt/community')).length, 1);
    t.equal(asked.filter((path) => path.startsWith('/api/cmt/activity')).length, 1);
    const { violations } = await new AxeBuilder({ page }).include('header').analyze();
    t.strictSame(
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      [],
    );
  });

  t.test('the carousel advances while the pointer is over it', async (t) => {
    const page = await home(t, origin, {});
    await openPanel(page, carousel);
    await expect(carousel(page).locator('button[aria-label^=Work]')).toHaveCount(4);
    await page.mouse.move(5, 600);
    await page.clock.runFor(3 * CAROUSEL_STEP);
    t.equal(await shownPlace(page), 'Work 1 of 4', 'it does not advance before');
    await carousel(page).hover();
    // It moves once it has drawn that the pointer is there.
    await carousel(page).locator('a [aria-live=off]').waitFor();
    await page.clock.runFor(CAROUSEL_STEP - 1);
    t.equal(await shownPlace(page), 'Work 1 of 4');
    await page.clock.runFor(1);
    await t.resolves(shows(page, 'Work 2 of 4'));
    await expect(carousel(page).getByRole('link')).toContainText(/Work 2/);
    await expect(carousel(page).getByRole('link')).toHaveAttribute('href', '/community/work/2');
    await page.clock.runFor(3 * CAROUSEL_STEP);
    await t.resolves(shows(page, 'Work 1 of 4'), 'it starts again after the last work');
  });

  t.test('the carousel advances while focused, and can be paused', async (t) => {
    const page = await home(t, origin, {});
    await openPanel(page, carousel);
    await page.mouse.move(5, 880);
    const link = carousel(page).getByRole('link');
    await link.focus();
    await page.clock.runFor(2 * CAROUSEL_STEP);
    await t.resolves(shows(page, 'Work 3 of 4'));
    await expect(link, 'the focus stays').toBeFocused();
    await carousel(page).getByRole('button', { name: 'Pause slideshow' }).focus();
    await page.keyboard.press('Enter');
    await page.clock.runFor(5 * CAROUSEL_STEP);
    t.equal(await shownPlace(page), 'Work 3 of 4', 'paused');
    await page.keyboard.press('Enter');
    await page.clock.runFor(CAROUSEL_STEP);
    await t.resolves(shows(page, 'Work 4 of 4'), 'resumed');
    await link.focus();
    await page.keyboard.press('ArrowRight');
    t.equal(await shownPlace(page), 'Work 1 of 4');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    t.equal(await shownPlace(page), 'Work 3 of 4');
    await page.clock.runFor(5 * CAROUSEL_STEP);
    t.equal(await shownPlace(page), 'Work 3 of 4', 'a chosen work stays');
  });

  t.test('nothing moves with reduced motion', async (t) => {
    const page = await home(t, origin, {}, { reducedMotion: 'reduce' });
    await openPanel(page, carousel);
    await carousel(page).hover();
    await page.clock.runFor(5 * CAROUSEL_STEP);
    t.equal(await shownPlace(page), 'Work 1 of 4');
    await expect(carousel(page).getByRole('button', { name: /slideshow/ })).toHaveCount(0);
    await carousel(page).getByRole('button', { name: 'Work 3 of 4' }).click();
    t.equal(await shownPlace(page), 'Work 3 of 4');
  });

  t.test('counts above 9999 are capped', async (t) => {
    const page = await home(t, origin, {});
    await openPanel(page, carousel, card);
    await expect(card(page).locator('dd')).toHaveText(['9999', '9999+'], { useInnerText: true });
    await expect(carousel(page).getByRole('link')).toContainText(/9999\s+.*9999\+/s, { useInnerText: true });
    await expect(card(page).getByRole('link')).toHaveAttribute('href', '/designskills/');
  });

  t.test('parts that fail to load are hidden without an error', async (t) => {
    const refused = { code: 500, message: 'broken', data: null };
    const failures: readonly [name: string, answers: Answers][] = [
      ['refused', { works: refused, activity: refused }],
      [
        'an error code',
        { works: { code: 0, data: { work_list: [] } }, activity: { code: 0, message: 'ok', data: CARD } },
      ],
    ];
    for (const [name, answers] of failures) {
      const page = await home(t, origin, answers);
      await open(page);
      await page.locator('[data-panel=community] div:empty').waitFor({ state: 'attached' });
      await expect(carousel(page), name).toHaveCount(0);
      await expect(card(page), name).toHaveCount(0);
      await expect(page.getByRole('alert'), name).toHaveCount(0);
    }
  });

  t.test('a missing answer hides its part', async (t) => {
    const page = await home(t, origin, {}, { expected: /ERR_FAILED/ });
    await page.route(FEATURED, (route) => route.fulfill({ json: { code: 0, data: { work_list: WORKS } } }));
    await page.route(ACTIVITY, (route) => route.abort());
    await openPanel(page, carousel);
    await page.clock.runFor(60_000);
    await expect(card(page)).toHaveCount(0);
    await expect(carousel(page), 'the works are shown').toHaveCount(1);
  });

  t.test('links lead to this site or the web, or are removed', async (t) => {
    const works = [
      work(1, { url: 'javascript:alert(1)' }),
      work(2, { url: '//evil.example/' }),
      work(3, { url: 'https://works.example/3', title: '<img src=x onerror=alert(1)>' }),
    ];
    const page = await home(t, origin, {
      works: { code: 0, data: { work_list: works } },
      activity: {
        code: 200,
        data: { ...CARD, tutorial_url: 'javascript:alert(1)', cover: 'data:text/html,x' },
      },
    });
    await openPanel(page, carousel, card);
    const links = await carousel(page).getByRole('link').all();
    t.equal(links.length, 1);
    t.equal(await links[0]?.getAttribute('href'), 'https://works.example/3');
    t.match(await links[0]?.innerText(), '<img src=x onerror=alert(1)>');
    await expect(carousel(page).getByRole('button'), 'a single work has no buttons').toHaveCount(0);
    await expect(card(page).getByRole('link')).toHaveCount(0);
    await expect(card(page).locator('img')).toHaveCount(0);
  });
});
