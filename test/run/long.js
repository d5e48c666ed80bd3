/** Browser tests of `npm test`: the most frequent actions of each role, and whether the main pages are accessible. */
const USUAL_BROWSER_TESTS = [
  'test/e2e/access/matrix.test.ts',
  'test/e2e/account.test.ts',
  'test/e2e/browse.test.ts',
  'test/e2e/first-day.test.ts',
  'test/e2e/home.test.ts',
  'test/e2e/hydration.test.ts',
  'test/e2e/my-plugins.test.ts',
  'test/e2e/plugin.test.ts',
  'test/e2e/publish-single.test.ts',
  'test/e2e/session.test.ts',
  'test/e2e/sign-in.test.ts',
];

/** Other long tests: hostile packages, the whole demo, every malformed field, crashes, slow services, restore, upgrades. */
const LONG = [
  'test/community/batch/hostile.test.ts',
  'test/community/demo/publish-demo.test.ts',
  'test/community/publish/hostile.test.ts',
  'test/conformance/able-to-fail.test.ts',
  'test/faults/clock.test.ts',
  'test/faults/database-away.test.ts',
  'test/faults/full-disk.test.ts',
  'test/faults/kill-program.test.ts',
  'test/faults/kill-services.test.ts',
  'test/faults/rolling-restart.test.ts',
  'test/faults/s3-network.test.ts',
  'test/faults/upstream-network.test.ts',
  'test/gateway/proxy/broken-responses-long.test.ts',
  'test/gateway/redis/slow-long.test.ts',
  'test/gateway/redis/slow.test.ts',
  'test/gateway/redis/unavailable.test.ts',
  'test/operations/programs.test.ts',
  'test/peers/s3.test.ts',
  'test/peers/slow.test.ts',
  'test/rights/opened-contract.test.ts',
  'test/rights/product.test.ts',
  'test/shared/package/hostile.test.ts',
  'test/soak/soak.test.ts',
  'test/upgrade/community-steps.test.ts',
  'test/upgrade/identity-steps.test.ts',
  'test/upstream/run.test.ts',
];

/** Only run by their own commands: screenshots depend on the fonts of the machine. */
const APART = ['test/e2e/pictures/pictures.test.ts'];

/** All listed files. */
export const NAMED = [...USUAL_BROWSER_TESTS, ...LONG, ...APART];

/**
 * Whether a test file only runs in `npm run test:long`, so that `npm test` takes minutes. Browser
 * tests do unless they are listed here.
 *
 * @param {string} file below the checkout
 */
export function isLong(file) {
  if (LONG.includes(file)) return true;
  return isBrowserTest(file) && ![...USUAL_BROWSER_TESTS, ...APART].includes(file);
}

/** @param {string} file below the checkout */
export function isApart(file) {
  return APART.includes(file);
}

/** @param {string} file below the checkout */
export function isBrowserTest(file) {
  return file.startsWith('test/e2e/');
}
