import type { Page } from 'playwright-core';
import { readPackages } from './member-screens.ts';
import type { Facts, Screen } from './screen.ts';

const BACKSTAGE = '/plugins/backstage-index';
const SCREENS = [
  'overview',
  'audit-list',
  'reports',
  'tags',
  'marks',
  'resource-state-list',
  'banner-config',
  'qr-codes',
  'help/new',
  'help/1',
  'iconfont',
  'pexels',
  'members',
  'audit-trail',
];

const tab = (place: number) => (page: Page) => page.locator('main [role=tab]').nth(place).click();

/** What administrators see. */
export function administratorScreens({ submissionId }: Facts): Screen[] {
  const screens: Omit<Screen, 'who'>[] = [
    { name: 'publish several', path: '/plugins/publish-plugin/batch', states: { read: readPackages } },
    ...SCREENS.map((name) => ({ name, path: `${BACKSTAGE}/${name}` })),
    { name: 'plugin-list', path: `${BACKSTAGE}/plugin-list`, states: { recommended: tab(1) } },
    { name: 'help', path: `${BACKSTAGE}/help`, states: { categories: tab(1) } },
    {
      name: 'review',
      path: `${BACKSTAGE}/audit-list/${submissionId}`,
      states: { listing: tab(1), code: tab(2), preview: tab(3), history: tab(4) },
    },
  ];
  return screens.map((screen) => ({ ...screen, who: 'administrator' }));
}
