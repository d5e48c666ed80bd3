import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Stands for axe's own source on a page that has it already: reading it takes as long as a look. */
const NOTHING = 'void 0;';
const GUARD = '[data-base-ui-focus-guard]';

/**
 * What is read out whenever something in it changes, with something to press inside. Slides of a carousel are read out whole
 * once it stands still (WAI-ARIA Authoring Practices, carousel).
 */
export const PRESSED_ALOUD = ['[role=status]', '[role=alert]', '[aria-live=polite]', '[aria-live=assertive]']
  .map(
    (region) => `${region} :is(button, a[href], input, select, textarea):not([aria-roledescription=slide] *)`,
  )
  .join();

/** Live regions around something to press: it would be read out with every change. */
export async function pressedAloud(page: Page): Promise<string[]> {
  const found = await page.locator(PRESSED_ALOUD).evaluateAll((all) => all.map(({ outerHTML }) => outerHTML));
  return found.map((html) => `live region around: ${html}`);
}

/** What axe finds on a page by WCAG 2.2 AA and its own best practice: the rule and each element that breaks it. */
export async function axeFindings(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  // An open layer hangs beside the landmarks, between two stops that hand the focus on at once.
  const hasLayer = (await page.locator(GUARD).count()) > 0;
  const { violations } = await new AxeBuilder({ page, ...(isThere && { axeSource: NOTHING }) })
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
