import type { Page } from 'playwright-core';
import { jsonFile, pluginPackage } from '../support/batch-files.ts';
import { give, packageFile, pictureFile } from '../support/publish-files.ts';
import { submit, zone } from '../support/publish-form.ts';
import type { Facts, Screen } from './screen.ts';

/** Opens everything on the page that can be unfolded in its place. */
async function unfold(page: Page): Promise<void> {
  const folded = page.locator('main [aria-expanded=false]:not([aria-haspopup])');
  while ((await folded.count()) > 0) await folded.first().click();
}

async function refuse(page: Page): Promise<void> {
  await submit(page).click();
  await page.getByRole('alert').first().waitFor();
}

async function fill(page: Page): Promise<void> {
  await zone(page, 'code').setInputFiles(packageFile({ name: { 'en-US': 'Open To All' } }));
  await give(zone(page, 'media'), 'drop', [await pictureFile('one.png', 320, 180)]);
  await page.locator('[data-field=media] img').waitFor();
}

/** What publishers see. */
export function memberScreens({ ownKey, pluginKey }: Facts): Screen[] {
  const screens: Omit<Screen, 'who'>[] = [
    {
      name: 'plugin, signed in',
      path: `/plugins/plugin/${pluginKey}`,
      states: {
        'account menu': async (page) => {
          await page.locator('header [aria-haspopup=menu]:visible').last().click();
          await page.getByRole('menu').waitFor();
        },
        report: async (page) => {
          await page.keyboard.press('Escape');
          await page.getByRole('menu').waitFor({ state: 'detached' });
          await page.locator('main aside button').last().click();
          await page.getByRole('dialog').getByRole('radio').first().waitFor();
        },
      },
    },
    { name: 'own plugins', path: '/plugins/my-plugins', states: { unfolded: unfold } },
    { name: 'installed plugins', path: '/plugins/my-plugins?tab=installed' },
    { name: 'tokens', path: '/plugins/my-plugins?tab=tokens' },
    { name: 'own reports', path: '/plugins/my-plugins?tab=reports' },
    { name: 'own versions', path: `/plugins/my-plugins/${ownKey}/versions` },
    { name: 'account', path: '/plugins/account' },
    { name: 'delete account', path: '/plugins/account/delete' },
    { name: 'publish', path: '/plugins/publish-plugin/single', states: { refused: refuse, filled: fill } },
    { name: 'edit', path: `/plugins/publish-plugin/single?plugin_key=${ownKey}` },
    { name: 'nothing to bind', path: '/user/login/bind' },
    { name: 'bind', path: '/user/login/bind?id=1&mainUrl=/plugins/' },
  ];
  return screens.map((screen) => ({ ...screen, who: 'member' }));
}

/** Reads a good package and a broken one. */
export async function readPackages(page: Page): Promise<void> {
  const files = [jsonFile('good.json', pluginPackage('Good', { id: '12' })), jsonFile('bad.json', '{')];
  await page.locator('main input[type=file]').first().setInputFiles(files);
  await page.locator('main tbody').nth(1).waitFor();
  await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
}
