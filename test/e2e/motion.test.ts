import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { memberPage } from './support/account.ts';
import { newPage, openPage } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

/** Moving groups of each view transition, by name and in order. */
const movedGroups = (page: Page) => page.evaluate(() => (window as { moved?: string[][] }).moved ?? []);

/** Records the groups of each view transition, slowed down so that a busy machine cannot miss it. */
function watchTransitions(): void {
  const slow = new CSSStyleSheet();
  slow.replaceSync('::view-transition-group(*) { animation-duration: 60s; }');
  document.adoptedStyleSheets = [slow];
  const moved: string[][] = [];
  Object.assign(window, { moved });
  const start = document.startViewTransition.bind(document);
  document.startViewTransition = (update) => {
    const transition = start(update);
    void transition.ready.then(() => {
      const groups = document
        .getAnimations()
        .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.pseudoElement : null))
        .filter((name) => name?.startsWith('::view-transition-group('))
        .map((name) => name ?? '');
      moved.push([...new Set(groups)]);
    });
    return transition;
  };
}

const MOVING = ['::view-transition-group(plugin-cover)', '::view-transition-group(plugin-icon)'];

t.test('the transition from a list to a plugin', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;

  t.test('the cover moves to the plugin page and back', async (t) => {
    const page = await newPage(t);
    await page.addInitScript(watchTransitions);
    await openPage(page, `${origin}/plugins/`);
    await page.locator('section[aria-labelledby=recommended] h3 a').first().click();
    await page.waitForURL(/\/plugins\/plugin\//);
    await page.waitForFunction(() => (window as { moved?: unknown[] }).moved?.length === 1);
    await page.goBack();
    await page.waitForURL(`${origin}/plugins/`);
    await page.waitForFunction(() => (window as { moved?: unknown[] }).moved?.length === 2);
    t.strictSame(
      (await movedGroups(page)).map((groups) => groups.filter((group) => group.includes('plugin-')).sort()),
      [MOVING, MOVING],
    );
  });

  t.test('the cover also moves to a page that is still loading', async (t) => {
    const page = await newPage(t);
    await page.addInitScript(watchTransitions);
    await openPage(page, `${origin}/plugins/`);
    await page.route('**/api/cmt/plugin?*', () => undefined);
    await page.locator('section[aria-labelledby=recommended] h3 a').first().click();
    await page.waitForFunction(() => (window as { moved?: unknown[] }).moved?.length === 1);
    t.strictSame(
      (await movedGroups(page)).map((groups) => groups.filter((group) => group.includes('plugin-')).sort()),
      [MOVING],
    );
  });

  t.test('nothing moves with reduced motion', async (t) => {
    const page = await newPage(t, { reducedMotion: 'reduce' });
    await page.addInitScript(watchTransitions);
    await openPage(page, `${origin}/plugins/`);
    await page.locator('section[aria-labelledby=recommended] h3 a').first().click();
    await page.waitForURL(/\/plugins\/plugin\//);
    await page.waitForFunction(() => (window as { moved?: unknown[] }).moved?.length === 1);
    t.strictSame(await movedGroups(page), [[]]);
  });
});

t.test('feedback to a like and an install', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;
  /** Names of the animations inside an element, also of finished ones. */
  const movesIn = (locator: Locator) =>
    locator.evaluate((element) =>
      [...element.querySelectorAll('*')]
        .map((inner) => getComputedStyle(inner))
        .filter(({ animationDuration }) => animationDuration !== '0s')
        .map(({ animationName }) => /pop|roll|turn/.exec(animationName)?.[0] ?? animationName)
        .sort(),
    );
  for (const reducedMotion of ['no-preference', 'reduce'] as const)
    t.test(`with motion: ${reducedMotion}`, async (t) => {
      const page = await memberPage(t, product, 'Mei Lin', { reducedMotion });
      await openPage(page, `${origin}/plugins/`);
      const card = page.locator('section[aria-labelledby=recommended] article').first();
      const like = card.getByRole('button', { name: /^Like/ });
      await like.click();
      const moves = reducedMotion === 'reduce' ? [] : ['pop', 'roll'];
      t.strictSame(await movesIn(like), moves);
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      await page.route('**/api/cmt/plugin/user', async (route) => {
        await answered;
        await route.continue();
      });
      await card.getByRole('button', { name: /^Install / }).click();
      const installed = card.getByRole('button', { name: /^Installed/ });
      await installed.locator('svg').waitFor({ state: 'detached' });
      t.strictSame(await movesIn(installed), ['turn'], 'a spinner until the server answers');
      const { width } = (await installed.boundingBox()) ?? {};
      // The toast appears with the check mark, and only for a moment.
      const told = page.getByText('Plugin installed').waitFor();
      answer();
      await installed.locator('svg').waitFor();
      t.equal((await installed.boundingBox())?.width, width);
      await told;
    });
});

/** Records every later layout shift, also right after a click. */
function watchShifts(): void {
  const shifts: { value: number; nodes: string[] }[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      sources: { node: Element | null }[];
    })[])
      shifts.push({
        value: entry.value,
        nodes: entry.sources.map(({ node }) =>
          node instanceof Element ? node.outerHTML.slice(0, 120) : '?',
        ),
      });
  }).observe({ type: 'layout-shift' });
}

const shiftsOf = (page: Page) => page.evaluate(() => (window as { shifts?: unknown[] }).shifts ?? []);

/** Position of an element on the page, in whole CSS pixels. */
const placeOf = (locator: Locator) =>
  locator.first().evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y + scrollY, width, height].map(Math.round);
  });

t.test('skeletons have the size of the loaded content', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;
  const WAYS = [
    {
      name: 'home',
      from: '/plugins/protocol',
      link: 'header a[href="/plugins/"]',
      shapes: [
        [
          'section[aria-labelledby=recommended] li[aria-hidden] > div > :first-child',
          'section[aria-labelledby=recommended] article > :first-child',
        ],
        [
          'section[aria-labelledby=recommended] li[aria-hidden] > div',
          'section[aria-labelledby=recommended] article',
        ],
      ],
    },
    {
      name: 'a list',
      from: '/plugins/',
      link: 'nav[aria-label="Filter by tag"] li:nth-child(3) a',
      shapes: [
        [
          'section[aria-labelledby=results] li[aria-hidden] > div > :first-child',
          'section[aria-labelledby=results] article > :first-child',
        ],
        [
          'section[aria-labelledby=results] li[aria-hidden] > div',
          'section[aria-labelledby=results] article',
        ],
      ],
    },
    {
      name: 'a plugin',
      from: '/plugins/',
      link: 'section[aria-labelledby=recommended] h3 a',
      shapes: [
        ['main article[aria-busy] h1', 'main article h1'],
        ['main article[aria-busy] header img', 'main article header img'],
        ['main article[aria-busy] section[aria-label=Gallery] > div', 'section[aria-label=Gallery] > div'],
      ],
    },
  ];
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 375, height: 812 },
  ])
    for (const { name, from, link, shapes } of WAYS)
      t.test(`${name} at ${viewport.width} px`, async (t) => {
        const page = await newPage(t, { viewport });
        await openPage(page, origin + from);
        const { promise: held, resolve: release } = Promise.withResolvers<void>();
        await page.route('**/api/cmt/**', async (route) => {
          await held;
          await route.continue();
        });
        await page.locator(link).first().click();
        const before = [];
        for (const [place = ''] of shapes) {
          await page.locator(place).first().waitFor();
          before.push(await placeOf(page.locator(place)));
        }
        await page.evaluate(watchShifts);
        release();
        const after = [];
        for (const [, thing = ''] of shapes) {
          await page.locator(thing).first().waitFor();
          after.push(await placeOf(page.locator(thing)));
        }
        await page.waitForLoadState('networkidle');
        t.strictSame(before, after);
        t.strictSame(await shiftsOf(page), []);
      });
});
