import { chromium, type Page } from 'playwright-core';
import { screensOf } from '../test/e2e/access/screens.ts';
import { ADMIN, signInByCalls } from '../test/e2e/support/account.ts';
import { send } from '../test/e2e/support/api.ts';
import { browserPath } from '../test/e2e/support/browser-path.ts';
import { followRequests } from '../test/e2e/support/page.ts';
import type { Table } from './figures.ts';
import { BROWSER_FLAGS } from './lighthouse.ts';

declare global {
  interface Window {
    shifts?: { value: number; moved: string[] }[];
  }
}

/** Settings of the product for `layoutShifts`. */
export const WITH_ADMIN = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };

const WINDOWS = { '1440 × 900': [1440, 900], '375 × 812': [375, 812] } as const;

/** Cumulative layout shift of every page while it loads, each opened once in a browser that has been here before. */
export async function layoutShifts(origin: string, pluginKey: string): Promise<Table> {
  const browser = await chromium.launch({ executablePath: browserPath(), args: BROWSER_FLAGS });
  const rows = new Map<string, (string | number)[]>();
  for (const [width, height] of Object.values(WINDOWS)) {
    for (const isAdmin of [false, true]) {
      const context = await browser.newContext({
        ...{ baseURL: origin, locale: 'en-US' },
        viewport: { width, height },
      });
      const page = await context.newPage();
      if (isAdmin) await signInByCalls(page, origin, ADMIN);
      await page.goto(`${origin}/plugins/`, { waitUntil: 'networkidle' });
      const waitForIdle = followRequests(page);
      const { audit_list } = isAdmin
        ? await send(page, 'GET', 'plugin/audit/list?audit_status=1')
        : { audit_list: [] };
      const submissionId: number = audit_list[0]?.submission_id ?? 0;
      const { plugin_list } = await send(page, 'GET', 'plugin/list');
      const { handle } = plugin_list[0].publisher;
      const screens = screensOf({ pluginKey, ownKey: pluginKey, handle, tagId: 1, submissionId }).filter(
        ({ role }) => (role !== 'visitor') === isAdmin,
      );
      await recordShifts(page);
      for (const { role, name, path } of screens) {
        const key = `${role}: ${name}`;
        await page.goto(origin + path);
        await page.locator('h1').first().waitFor();
        await waitForIdle();
        const { value } = await layoutShift(page);
        rows.set(key, [...(rows.get(key) ?? [key]), value.toFixed(3)]);
      }
      await context.close();
    }
  }
  await browser.close();
  return {
    title: 'Cumulative layout shift while a page loads',
    head: ['page', ...Object.keys(WINDOWS)],
    rows: [...rows.values()],
  };
}

/**
 * Records what moves on the pages that are loaded from now on. Answers wait until what stands in for them was drawn: on a
 * fast machine they come before.
 */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: NonNullable<Window['shifts']> = [];
    window.shifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!('hadRecentInput' in entry && 'value' in entry && 'sources' in entry)) continue;
        const { hadRecentInput, value, sources } = entry;
        if (hadRecentInput || typeof value !== 'number' || !Array.isArray(sources)) continue;
        const moved = sources.map(({ node, previousRect, currentRect }) =>
          [
            node instanceof Element ? node.outerHTML.slice(0, 80) : node?.textContent,
            `from ${previousRect.y}, ${previousRect.height} to ${currentRect.y}, ${currentRect.height} px`,
          ].join(' '),
        );
        shifts.push({ value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.route('**/api/**', async (route) => {
    const drawn = page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    // The page may go while its request waits.
    await drawn.catch(() => undefined);
    await route.fallback();
  });
}

/** Cumulative layout shift since the page was loaded, all of it and not only its worst window, and what moved. */
async function layoutShift(page: Page): Promise<{ value: number; moved: string[] }> {
  const shifts = await page.evaluate(() => window.shifts ?? []);
  return {
    value: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: shifts.flatMap(({ value, moved }) => moved.map((one) => `${value.toFixed(3)}: ${one}`)),
  };
}
