import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { hiddenTexts, lostInForcedColours, squashedIcons, unlevelControls } from './measures.ts';
import type { Screen } from './screens.ts';

const WIDE = 1440;
const NARROW = 375;
const HEIGHT = 900;
/** Frames that a chart may take to follow the window, on a busy machine too. */
const OVERFLOW_TRIES = 200;
/** CSS pixels without horizontal scrolling (WCAG 2.2, 1.4.10 and 1.4.4): a small phone; 1280 at 200 % zoom. */
const NARROW_WIDTHS = [320, 640];

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Replaces the source of axe on a page that has loaded it: parsing it takes as long as a check. */
const NO_SOURCE = 'void 0;';
const GUARD = '[data-base-ui-focus-guard]';
/** Milliseconds: reduced motion shortens animations to this. */
const LONGEST_ANIMATION = 0.01;

type Options = Pick<Screen, 'states' | 'narrowStates'> & {
  url: string;
  schemes: readonly ('light' | 'dark')[];
  /** Waits until the page has loaded everything. */
  waitForIdle: () => Promise<void>;
};

/** Problems with their places, and how often axe ran. */
type Result = { findings: string[]; checks: number };

/** Checks a screen in every state, colour scheme and width. The page stays in the last state. */
export async function checkScreen(
  page: Page,
  { url, states = {}, narrowStates = {}, schemes, waitForIdle }: Options,
): Promise<Result> {
  const findings: string[] = [];
  let checks = 0;
  const check = async (state: string, widths = [WIDE, NARROW]): Promise<void> => {
    await waitForIdle();
    // Old rows are paler while new ones are loaded.
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    const note = (where: string, found: readonly string[]): void => {
      for (const finding of found) findings.push([state, where, finding].join(' · '));
    };
    for (const width of widths) {
      await page.setViewportSize({ width, height: HEIGHT });
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        await waitForColours(page);
        note(`${width} px ${colorScheme}`, await axeFindings(page));
        checks += 1;
      }
    }
    if (widths.includes(WIDE)) {
      await page.setViewportSize({ width: WIDE, height: HEIGHT });
      note('hidden', await hiddenTexts(page));
      note('unlevel', await unlevelControls(page));
      note('forced colours', await lostInForcedColours(page));
    }
    for (const width of NARROW_WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      note(`${width} px`, await settledOverflow(page));
      note(`${width} px`, await squashedIcons(page));
    }
    note('animation', await runningAnimations(page));
    note('announced', await controlsInLiveRegions(page));
  };
  await page.setViewportSize({ width: WIDE, height: HEIGHT });
  await page.goto(url);
  await page.locator('h1').first().waitFor();
  await check('initial');
  for (const [state, prepare] of Object.entries(states)) {
    await page.setViewportSize({ width: WIDE, height: HEIGHT });
    await prepare(page);
    await check(state);
  }
  for (const [state, prepare] of Object.entries(narrowStates)) {
    await page.setViewportSize({ width: NARROW, height: HEIGHT });
    await prepare(page);
    await check(state, [NARROW]);
  }
  return { findings, checks };
}

/** Colours change by transitions, which have no duration here but end with a frame. */
async function waitForColours(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

/** Charts follow the width of the window a moment later, so overflow counts only if it stays. */
async function settledOverflow(page: Page): Promise<string[]> {
  let overflow = await horizontalOverflow(page);
  for (let tries = 0; overflow.length > 0 && tries < OVERFLOW_TRIES; tries += 1) {
    await waitForColours(page);
    overflow = await horizontalOverflow(page);
  }
  return overflow;
}

/**
 * What needs horizontal scrolling: a page that is wider than its window, and each text or control outside the window,
 * unless its region scrolls by itself or it is for screen readers only.
 */
function horizontalOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isHidden = (element: Element): boolean =>
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
      element.closest('[inert], [aria-hidden=true]') !== null;
    const isTiny = ({ width, height }: DOMRect): boolean => width <= 1 || height <= 1;
    /** Whether an ancestor scrolls, or clips it to a pixel for screen readers. */
    const isReachable = (element: Element): boolean => {
      for (let parent = element.parentElement; parent; parent = parent.parentElement) {
        const { overflowX } = getComputedStyle(parent);
        if (overflowX === 'auto' || overflowX === 'scroll') return true;
        if (overflowX !== 'visible' && isTiny(parent.getBoundingClientRect())) return true;
        if (parent.getAttribute('aria-roledescription') === 'carousel') return true;
      }
      return false;
    };
    const hasContent = (element: Element): boolean =>
      element.matches('a, button, input, select, textarea') ||
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    const found: string[] = [];
    const wider = document.documentElement.scrollWidth - innerWidth;
    if (wider > 0) found.push(`the page is ${wider} px wider than its window`);
    for (const element of document.body.querySelectorAll('*')) {
      const box = element.getBoundingClientRect();
      if (box.right <= innerWidth + 1 && box.left >= -1) continue;
      if (isTiny(box) || isHidden(element) || !hasContent(element) || isReachable(element)) continue;
      found.push(
        `${Math.round(box.left)} to ${Math.round(box.right)} px: ${element.outerHTML.slice(0, 160)}`,
      );
    }
    return found;
  });
}

/**
 * Controls inside a live region, which would be read out with every change. Slides of a carousel are allowed: a stopped
 * carousel announces them (WAI-ARIA Authoring Practices, carousel).
 */
export const CONTROLS_IN_LIVE_REGIONS = [
  '[role=status]',
  '[role=alert]',
  '[aria-live=polite]',
  '[aria-live=assertive]',
]
  .map(
    (region) => `${region} :is(button, a[href], input, select, textarea):not([aria-roledescription=slide] *)`,
  )
  .join();

async function controlsInLiveRegions(page: Page): Promise<string[]> {
  const found = await page
    .locator(CONTROLS_IN_LIVE_REGIONS)
    .evaluateAll((all) => all.map(({ outerHTML }) => outerHTML));
  return found.map((html) => `control in a live region: ${html}`);
}

/** Violations of WCAG 2.2 AA and of axe's best practices: the rule and each element that breaks it. */
export async function axeFindings(page: Page): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in window);
  // An open layer is outside the landmarks, between two focus guards.
  const hasLayer = (await page.locator(GUARD).count()) > 0;
  const { violations } = await new AxeBuilder({ page, ...(isLoaded && { axeSource: NO_SOURCE }) })
    .options({
      resultTypes: ['violations'],
      rules: { 'target-size': { enabled: true }, region: { enabled: !hasLayer } },
    })
    .withTags(TAGS)
    .exclude(GUARD)
    .setLegacyMode()
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any, all, none }) => {
      const [why] = [...any, ...all, ...none];
      return `${id}: ${html} ${why?.message ?? ''}`;
    }),
  );
}

/** Running animations. With `prefers-reduced-motion` there must be none. */
function runningAnimations(page: Page): Promise<string[]> {
  return page.evaluate((longest) => {
    const nameOf = (animation: Animation): string =>
      animation instanceof CSSAnimation
        ? animation.animationName
        : animation instanceof CSSTransition
          ? animation.transitionProperty
          : animation.id;
    return document.getAnimations().flatMap((animation) => {
      const { activeDuration = 0 } = animation.effect?.getComputedTiming() ?? {};
      const isShort = typeof activeDuration === 'number' && activeDuration <= longest;
      if (animation.playState !== 'running' || isShort) return [];
      const { target } = animation.effect instanceof KeyframeEffect ? animation.effect : { target: null };
      return [`${nameOf(animation)} for ${activeDuration} ms: ${target?.outerHTML.slice(0, 160) ?? ''}`];
    });
  }, LONGEST_ANIMATION);
}
