import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import type { PluginPage } from '../shared/entities/plugin.ts';
import { newAccount, signUp } from '../test/e2e/support/account.ts';
import { browserPath } from '../test/e2e/support/browser-path.ts';
import { waitForHydration } from '../test/e2e/support/page.ts';
import { makeDataFolder, startProduct } from '../test/support/product.ts';
import { median } from './figures.ts';
import { BROWSER_FLAGS } from './lighthouse.ts';
import type { Bench } from './run.ts';

const ROUNDS = 10;
/** A row of the list. */
const LIKES = 4;
const CARDS = 200;
const SLOWER = 4;
/** Milliseconds for which a user holds a button. */
const PRESSED = 80;

declare global {
  interface Window {
    /** Milliseconds of each press from its slowest event to the next frame, as in INP. */
    presses: Map<number, number>;
  }
}

/** Extends the list with copies of its first page until there are enough cards. */
async function lengthenList(page: Page): Promise<void> {
  let copies = 0;
  await page.route('**/api/cmt/plugin/list?*', async (route) => {
    const url = new URL(route.request().url());
    if (!url.searchParams.has('cursor')) return route.continue();
    url.searchParams.delete('cursor');
    const answer = await route.fetch({ url: url.href });
    const { data, ...rest }: { data: PluginPage } = await answer.json();
    copies += 1;
    const plugin_list = data.plugin_list.map((plugin) => ({
      ...plugin,
      plugin_key: `copy-${copies}-${plugin.plugin_key}`,
    }));
    await route.fulfill({
      json: { ...rest, data: { ...data, plugin_list, next_cursor: `after-${copies}` } },
    });
  });
}

async function showCards(page: Page): Promise<void> {
  const cards = page.locator('section[aria-labelledby=results] article');
  while ((await cards.count()) < CARDS) {
    await cards.last().scrollIntoViewIfNeeded();
    await delay(100);
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
}

/** A window that shows two rows of cards with their buttons. */
const TALL = { width: 1280, height: 1000 };

type Place = { x: number; y: number };

/** Centres of the visible hearts of the list. */
async function heartsOf(page: Page): Promise<Place[]> {
  const hearts = page
    .locator('section[aria-labelledby=results] article')
    .getByRole('button', { name: /^Like/ });
  await hearts
    .nth(LIKES / 2)
    .evaluate((heart) => heart.scrollIntoView({ block: 'center', behavior: 'instant' }));
  await delay(500);
  const boxes = await Promise.all(Array.from({ length: LIKES }, (_, n) => hearts.nth(n).boundingBox()));
  return boxes
    .flatMap((box) => box ?? [])
    .map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }));
}

/**
 * Presses the mouse directly: Playwright's own click would add its checks in the page to the measured time.
 */
async function likeSome(page: Page, hearts: readonly Place[]): Promise<number[]> {
  const pressed = page.locator('section[aria-labelledby=results] article button[aria-pressed=true]');
  const before = await pressed.count();
  await page.evaluate(() => {
    window.presses = new Map();
    const events = { type: 'event', durationThreshold: 16 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!(entry instanceof PerformanceEventTiming) || entry.interactionId === 0) continue;
        const known = window.presses.get(entry.interactionId) ?? 0;
        window.presses.set(entry.interactionId, Math.max(known, entry.duration));
      }
    }).observe(events);
  });
  for (const { x, y } of hearts) {
    await page.mouse.move(x, y);
    await delay(400);
    await page.mouse.down();
    await delay(PRESSED);
    await page.mouse.up();
    await delay(400);
  }
  const slow = await page.evaluate(() => [...window.presses.values()]);
  const changed = Math.abs((await pressed.count()) - before);
  if (changed !== LIKES) throw new Error(`${changed} of ${LIKES} clicks did something`);
  // Events below the observer's threshold count as the threshold.
  return [...slow, ...Array.from({ length: Math.max(0, LIKES - slow.length) }, () => 16)];
}

/** Time from a click on a heart to the frame that shows the like, with many cards and a slow processor. */
export const like: Bench = async () => {
  const { dir, remove } = await makeDataFolder();
  const product = await startProduct(dir);
  const browser = await chromium.launch({ executablePath: browserPath(), args: BROWSER_FLAGS });
  const page = await (await browser.newContext({ locale: 'en-US', viewport: TALL })).newPage();
  await page.goto(`${product.origin}/plugins/`);
  await waitForHydration(page);
  await signUp(page, newAccount());
  await lengthenList(page);
  await page.goto(`${product.origin}/plugins/`);
  await waitForHydration(page);
  await showCards(page);
  const shown = await page.locator('section[aria-labelledby=results] article').count();
  const hearts = await heartsOf(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await likeSome(page, hearts));
  await browser.close();
  await product.stop();
  await remove();
  return [
    {
      title: `A like with ${shown} cards on the page, processor slowed ${SLOWER} times, ${ROUNDS} × ${LIKES} clicks`,
      head: ['interaction to next paint', 'milliseconds'],
      rows: [
        ['median', median(rounds.flat())],
        ['slowest of a round, median', median(rounds.map((clicks) => Math.max(...clicks)))],
      ],
    },
  ];
};
