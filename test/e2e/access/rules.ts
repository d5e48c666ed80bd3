import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Stands for axe's own source on a page that has it already: reading it takes as long as a look. */
const NOTHING = 'void 0;';
const GUARD = '[data-base-ui-focus-guard]';

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
