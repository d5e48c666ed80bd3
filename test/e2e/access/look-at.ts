import type { Page } from 'playwright-core';
import { lostSideways, NARROW_WIDTHS } from './loss.ts';
import { axeFindings, pressedAloud } from './rules.ts';
import type { Screen } from './screen.ts';
import { motions } from './stillness.ts';

const WIDE = 1440;
const NARROW = 375;
const HEIGHT = 900;
/** Milliseconds after which what follows the window has followed it. */
const REST = 500;

type Looking = Pick<Screen, 'states' | 'narrowStates'> & {
  url: string;
  schemes: readonly ('light' | 'dark')[];
  /** Waits until the page has everything that it fetches by itself. */
  quiet: () => Promise<void>;
};

/** What was found, each with where; and how often axe has looked. */
export type Found = { findings: string[]; checks: number };

/** Looks at a screen on an open page: in every state, scheme and width; stays at the state made last. */
export async function lookAt(
  page: Page,
  { url, states = {}, narrowStates = {}, schemes, quiet }: Looking,
): Promise<Found> {
  const findings: string[] = [];
  let checks = 0;
  const look = async (state: string, widths = [WIDE, NARROW]): Promise<void> => {
    const note = (where: string, found: readonly string[]): void => {
      for (const finding of found) findings.push([state, where, finding].join(' · '));
    };
    for (const width of widths) {
      await page.setViewportSize({ width, height: HEIGHT });
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        await coloursArrived(page);
        note(`${width} px ${colorScheme}`, await axeFindings(page));
        checks += 1;
      }
    }
    for (const width of NARROW_WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      note(`${width} px`, await lostAtRest(page));
    }
    note('moves', await motions(page));
    note('aloud', await pressedAloud(page));
  };
  await page.setViewportSize({ width: WIDE, height: HEIGHT });
  await page.goto(url);
  await page.locator('h1').first().waitFor();
  await quiet();
  await look('at first');
  for (const [state, make] of Object.entries(states)) {
    await page.setViewportSize({ width: WIDE, height: HEIGHT });
    await make(page);
    await quiet();
    await look(state);
  }
  for (const [state, make] of Object.entries(narrowStates)) {
    await page.setViewportSize({ width: NARROW, height: HEIGHT });
    await make(page);
    await quiet();
    await look(state, [NARROW]);
  }
  return { findings, checks };
}

/** Colours change by transitions, of no length here, but they end with a frame. */
async function coloursArrived(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

/** Charts follow the window a moment later. */
async function lostAtRest(page: Page): Promise<string[]> {
  const lost = await lostSideways(page);
  if (lost.length === 0) return lost;
  await page.waitForTimeout(REST);
  return lostSideways(page);
}
