import type { Page } from 'playwright-core';
import t from 'tap';
import { openBrowser } from './support/browser.ts';
import { hydrated, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

/** What moves in the page's view transitions, by the names of the moving groups, in order. */
const movedGroups = (page: Page) => page.evaluate(() => (window as { moved?: string[][] }).moved ?? []);

/** Writes down the groups of each view transition once it runs. */
function watchTransitions(): void {
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

t.test('moving from a list to a plugin', async (t) => {
  const origin = await runningProduct(t);
  const browser = await openBrowser(t);

  t.test('takes the cover along, there and back', async (t) => {
    const { page, complaints } = await watchedPage(browser, {});
    await page.addInitScript(watchTransitions);
    await page.goto(`${origin}/plugins/`);
    await hydrated(page);
    await page.locator('section[aria-labelledby=recommended] h3 a').first().click();
    await page.waitForURL(/\/plugins\/plugin\//);
    await page.waitForFunction(() => (window as { moved?: unknown[] }).moved?.length === 1);
    await page.goBack();
    await page.waitForURL(`${origin}/plugins/`);
    await page.waitForFunction(() => (window as { moved?: unknown[] }).moved?.length === 2);
    t.strictSame(
      (await movedGroups(page)).map((groups) => groups.includes('::view-transition-group(plugin-cover)')),
      [true, true],
    );
    t.strictSame(complaints, []);
    await page.context().close();
  });

  t.test('moves nothing for those who asked for less motion', async (t) => {
    const { page, complaints } = await watchedPage(browser, { reducedMotion: 'reduce' });
    await page.addInitScript(watchTransitions);
    await page.goto(`${origin}/plugins/`);
    await hydrated(page);
    await page.locator('section[aria-labelledby=recommended] h3 a').first().click();
    await page.waitForURL(/\/plugins\/plugin\//);
    await page.waitForFunction(() => (window as { moved?: unknown[] }).moved?.length === 1);
    t.strictSame(await movedGroups(page), [[]]);
    t.strictSame(complaints, []);
    await page.context().close();
  });
});
