import type { Page } from 'playwright-core';
import type { Facts, Screen } from './screen.ts';

const SIGN_IN = '/user/login?redirect_uri=/&response_type=code';
const anyLayer = (page: Page) => page.locator('[role=dialog], [role=menu]').last();

/** What everybody sees. */
export function visitorScreens({ pluginKey, tagId }: Facts): Screen[] {
  const screens: Omit<Screen, 'who'>[] = [
    {
      name: 'home',
      path: '/plugins/',
      states: {
        'asked to sign in': async (page) => {
          await page.locator('main article button').last().click();
          await anyLayer(page).waitFor();
        },
      },
    },
    { name: 'home of a tag', path: `/plugins/?tag_id=${tagId}&sort=1` },
    { name: 'home, a search', path: '/plugins/?keyword=icon' },
    { name: 'home, a search in vain', path: '/plugins/?keyword=zzzzqqqq' },
    { name: 'plugin', path: `/plugins/plugin/${pluginKey}` },
    { name: 'plugin there is not', path: '/plugins/plugin/nobody-has-this' },
    { name: 'protocol', path: '/plugins/protocol' },
    { name: 'developer documentation', path: '/plugins/docs/' },
    { name: 'help', path: '/help/' },
    { name: 'help article', path: '/help/1' },
    { name: 'help article there is not', path: '/help/999999' },
    {
      name: 'no permission',
      path: '/plugins/403',
      states: {
        'a menu of the header': async (page) => {
          await page.locator('header [data-section=community] > button').click();
          await page.locator('[data-panel=community] a').first().waitFor();
        },
        languages: async (page) => {
          await page.keyboard.press('Escape');
          await page.locator('header [aria-haspopup=menu]:visible').first().click();
          await page.getByRole('menu').waitFor();
        },
      },
      narrowStates: {
        drawer: async (page) => {
          await page.keyboard.press('Escape');
          await page.locator('header [aria-haspopup=dialog]:visible').click();
          await page.getByRole('dialog').locator('button[aria-expanded]').first().click();
        },
      },
    },
    { name: 'no such page', path: '/plugins/nowhere' },
    { name: 'sign-in without a way back', path: '/user/login' },
    { name: 'sign-in', path: SIGN_IN },
    { name: 'sign-up', path: `${SIGN_IN}&page=sign_up` },
  ];
  return screens.map((screen) => ({ ...screen, who: 'visitor' }));
}
