/**
 * Test files that `npm run test:long` runs and `npm test` leaves out, so that it stays under a quarter of an hour on two
 * cores. What they look at closely, others of `npm test` pass through: the fields of forms, the header's menus, a
 * publisher's way to a published plugin, ways of signing in, a backup put back, an upgrade from one earlier step, what
 * kill -9 and a lost Redis leave.
 */
export const LONG = [
  'test/conformance/able-to-fail.test.ts',
  'test/e2e/access/keyboard.test.ts',
  'test/e2e/account-sessions.test.ts',
  'test/e2e/analytics.test.ts',
  'test/e2e/backstage-review.test.ts',
  'test/e2e/backstage-site.test.ts',
  'test/e2e/bind-other.test.ts',
  'test/e2e/bind.test.ts',
  'test/e2e/community-panel.test.ts',
  'test/e2e/consent.test.ts',
  'test/e2e/cookies.test.ts',
  'test/e2e/desktop-client.test.ts',
  'test/e2e/frame.test.ts',
  'test/e2e/header-drawer.test.ts',
  'test/e2e/header-sites.test.ts',
  'test/e2e/header.test.ts',
  'test/e2e/pictures/pictures.test.ts',
  'test/e2e/public-pages.test.ts',
  'test/e2e/publish-batch.test.ts',
  'test/e2e/publish-draft.test.ts',
  'test/e2e/second-factor.test.ts',
  'test/e2e/sign-in-dialog.test.ts',
  'test/e2e/sign-in-modes.test.ts',
  'test/e2e/widgets-fields.test.ts',
  'test/e2e/widgets-in-place.test.ts',
  'test/e2e/widgets-lists.test.ts',
  'test/e2e/widgets.test.ts',
  'test/faults/clock.test.ts',
  'test/faults/database-away.test.ts',
  'test/faults/full-disk.test.ts',
  'test/faults/s3-network.test.ts',
  'test/faults/upstream-network.test.ts',
  'test/operations/programs.test.ts',
  'test/peers/s3.test.ts',
  'test/upgrade/community-steps.test.ts',
  'test/upgrade/identity-steps.test.ts',
];
