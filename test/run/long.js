/**
 * Test files that `npm run test:long` runs and `npm test` leaves out, so that it stays under a quarter of an hour on two
 * cores. What they look at closely, others of `npm test` pass through: the fields of forms, the header's menus, a
 * publisher's way to a published plugin, a private site's sign-in, a backup put back.
 */
export const LONG = [
  'test/e2e/backstage-site.test.ts',
  'test/e2e/community-panel.test.ts',
  'test/e2e/consent.test.ts',
  'test/e2e/desktop-client.test.ts',
  'test/e2e/header-drawer.test.ts',
  'test/e2e/header-sites.test.ts',
  'test/e2e/public-pages.test.ts',
  'test/e2e/publish-batch.test.ts',
  'test/e2e/publish-draft.test.ts',
  'test/e2e/sign-in-modes.test.ts',
  'test/e2e/widgets-fields.test.ts',
  'test/e2e/widgets-in-place.test.ts',
  'test/e2e/widgets-lists.test.ts',
  'test/e2e/widgets.test.ts',
  'test/operations/programs.test.ts',
  'test/peers/s3.test.ts',
];
