import type { Frame, Locator, Page } from 'playwright-core';
import { waitForFrames } from '../support/page.ts';

/** An element that this many presses of Tab do not reach counts as unreachable. */
const MAX_STOPS = 600;
/** Looks at a stop until what is over it must have gone: the install bar leaves with a frame after the page has scrolled. */
const MAX_LOOKS = 100;

/** Uses a page without a pointer. */
export type Keyboard = {
  /** Presses Tab until `target` has the focus. */
  tabTo(target: Locator): Promise<void>;
  /** Moves the focus to `target` by Tab and presses a key there, by default Enter. */
  press(target: Locator, key?: string): Promise<void>;
  /** Moves the focus to `target` by Tab and types there. */
  type(target: Locator, text: string): Promise<void>;
  /** Presses Tab until the focus has left the page; returns the number of stops. */
  tabThroughPage(): Promise<number>;
  /** Stops whose focus is not visible. */
  problems: string[];
};

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement && document.hasFocus());

export function keyboardOf(page: Page): Keyboard {
  const problems: string[] = [];
  const checkFocus = async (): Promise<string | null> => {
    let stop = await focusedStop(page);
    for (let looks = 1; stop?.problems.length && looks < MAX_LOOKS; looks += 1) {
      await waitForFrames(page);
      stop = await focusedStop(page);
    }
    for (const problem of stop?.problems ?? [])
      problems.push(`${new URL(page.url()).pathname}: ${stop?.html} ${problem}`);
    return stop?.html ?? null;
  };
  const tabTo = async (target: Locator): Promise<void> => {
    await target.first().waitFor();
    for (let stop = 0; stop < MAX_STOPS; stop += 1) {
      if (await isFocused(target.first())) return;
      await page.keyboard.press('Tab');
      await checkFocus();
    }
    throw new Error(`The keyboard does not reach ${target} on ${page.url()}.`);
  };
  return {
    problems,
    tabTo,
    press: async (target, key = 'Enter') => {
      await tabTo(target);
      await page.keyboard.press(key);
    },
    type: async (target, text) => {
      await tabTo(target);
      await page.keyboard.type(text);
    },
    tabThroughPage: async () => {
      let stops = 0;
      do {
        await page.keyboard.press('Tab');
        stops += 1;
      } while ((await checkFocus()) !== null && stops < MAX_STOPS);
      return stops - 1;
    },
  };
}

/** The focused element, and what is wrong with how its focus is shown. */
type Stop = { html: string; problems: string[] };

/** The focused element, also inside a frame; null when the page itself has the focus. */
async function focusedStop(page: Page | Frame): Promise<Stop | null> {
  const stop = await page.evaluate(readStop);
  if (!stop?.html.startsWith('<iframe')) return stop;
  const focused = await page.evaluateHandle(() => document.activeElement);
  const inside = await focused.asElement()?.contentFrame();
  await focused.dispose();
  return inside ? focusedStop(inside) : stop;
}

/**
 * Runs in the page. The focus is visible if the element, a pseudo-element, its label, its next sibling or a field around
 * it has an outline or a shadow (WCAG 2.2, 2.4.7), and if some point of it is not covered (2.4.11).
 */
function readStop(): Stop | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const isOutlined = (of: Element, part?: string): boolean => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(of, part);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && !/, 0\)$/.test(outlineColor);
  };
  const isShaded = (of: Element, part?: string): boolean => getComputedStyle(of, part).boxShadow !== 'none';
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
  const beside = [element.nextElementSibling, ...labels, ...labels.flatMap((label) => [...label.children])];
  const near = [element, ...beside].filter((one) => one !== null);
  const around = [element.parentElement, element.parentElement?.parentElement].filter((one) => one != null);
  const parts = [undefined, '::before', '::after'];
  const isMarked =
    near.some((one) => parts.some((part) => isOutlined(one, part) || isShaded(one, part))) ||
    around.some((one) => parts.some((part) => isOutlined(one, part)));

  const isHit = (x: number, y: number): boolean => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && near.concat(around).some((one) => one.contains(hit));
  };
  const boxes = [element, ...labels].map((one) => one.getBoundingClientRect());
  const isUncovered = boxes.some(({ left, top, width, height }) =>
    [0.1, 0.5, 0.9].some((x) => [0.1, 0.5, 0.9].some((y) => isHit(left + width * x, top + height * y))),
  );
  const problems = [...(isMarked ? [] : ['has no focus mark']), ...(isUncovered ? [] : ['is covered'])];
  return { html: element.outerHTML.replaceAll(/\s+/g, ' ').slice(0, 200), problems };
}
