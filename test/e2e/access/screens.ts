import type { Page } from 'playwright-core';
import { dropOrPaste, jsonFile, packageFile, pictureFile, pluginPackage } from '../support/publish-files.ts';
import { fileInput, submit } from '../support/publish-form.ts';

export type Role = 'visitor' | 'member' | 'administrator';

/** Data of the product that the screens show. */
export type ScreenData = {
  pluginKey: string;
  /** Of its publisher. */
  handle: string;
  tagId: number;
  /** The member's own plugin, published and installed. */
  ownKey: string;
  /** A submission that waits for review. */
  submissionId: number;
};

type States = Readonly<Record<string, (page: Page) => Promise<void>>>;

/** A page of the product and its states. */
export type Screen = {
  name: string;
  role: Role;
  path: string;
  /** Further states, each reached from the one before. */
  states?: States;
  /** The same for states that only small windows have. */
  narrowStates?: States;
  /** Makes its table visible. */
  table?: (page: Page) => Promise<void>;
};

/** All screens, by role. */
export function screensOf(data: ScreenData): Screen[] {
  return [...visitorScreens(data), ...memberScreens(data), ...administratorScreens(data)];
}

const SIGN_IN = '/user/login?redirect_uri=/&response_type=code';
const anyLayer = (page: Page) => page.locator('[role=dialog], [role=menu]').last();

function visitorScreens({ pluginKey, handle, tagId }: ScreenData): Screen[] {
  const screens: Omit<Screen, 'role'>[] = [
    {
      name: 'home',
      path: '/plugins/',
      states: {
        'asked to sign in': async (page) => {
          // By keyboard: the end of the list grows when it comes into view.
          await page.locator('main article button').last().press('Enter');
          await anyLayer(page).waitFor();
        },
      },
    },
    { name: 'home of a tag', path: `/plugins/?tag_id=${tagId}&sort=1` },
    { name: 'home, a search', path: '/plugins/?keyword=icon' },
    { name: 'home, a search without results', path: '/plugins/?keyword=zzzzqqqq' },
    { name: 'plugin', path: `/plugins/plugin/${pluginKey}` },
    { name: 'publisher', path: `/plugins/publisher/${handle}` },
    { name: 'collections', path: '/plugins/collections' },
    { name: 'collection', path: '/plugins/collections/real-content' },
    { name: 'unknown collection', path: '/plugins/collections/no-such-one' },
    { name: 'unknown publisher', path: '/plugins/publisher/nobody-here' },
    { name: 'unknown plugin', path: '/plugins/plugin/nobody-has-this' },
    { name: 'protocol', path: '/plugins/protocol' },
    { name: 'developer documentation', path: '/plugins/docs/' },
    { name: 'publishing', path: '/plugins/publishing' },
    { name: 'help', path: '/help/' },
    { name: 'help article', path: '/help/1' },
    { name: 'unknown help article', path: '/help/999999' },
    {
      name: 'no permission',
      path: '/plugins/403',
      states: {
        'header menu': async (page) => {
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
    { name: 'sign-in without a return address', path: '/user/login' },
    { name: 'sign-in', path: SIGN_IN },
    { name: 'sign-up', path: `${SIGN_IN}&page=sign_up` },
  ];
  return screens.map((screen) => ({ ...screen, role: 'visitor' }));
}

/** Opens all disclosures of the page. */
async function unfold(page: Page): Promise<void> {
  const folded = page.locator('main [aria-expanded=false]:not([aria-haspopup])');
  while ((await folded.count()) > 0) await folded.first().click();
}

async function submitEmptyForm(page: Page): Promise<void> {
  await submit(page).click();
  await page.getByRole('alert').first().waitFor();
}

async function fillForm(page: Page): Promise<void> {
  await fileInput(page, 'code').setInputFiles(packageFile({ name: { 'en-US': 'Open To All' } }));
  await dropOrPaste(fileInput(page, 'media'), 'drop', [await pictureFile('one.png', 320, 180)]);
  await page.locator('[data-field=media] img').waitFor();
}

function memberScreens({ ownKey, pluginKey }: ScreenData): Screen[] {
  const screens: Omit<Screen, 'role'>[] = [
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
    { name: 'own profile as a publisher', path: '/plugins/my-plugins/profile' },
    { name: 'installed plugins', path: '/plugins/my-plugins?tab=installed' },
    { name: 'tokens', path: '/plugins/my-plugins?tab=tokens' },
    { name: 'own reports', path: '/plugins/my-plugins?tab=reports' },
    { name: 'own versions', path: `/plugins/my-plugins/${ownKey}/versions` },
    { name: 'account', path: '/plugins/account' },
    { name: 'delete account', path: '/plugins/account/delete' },
    {
      name: 'publish',
      path: '/plugins/publish-plugin/single',
      states: { refused: submitEmptyForm, filled: fillForm },
    },
    { name: 'edit', path: `/plugins/publish-plugin/single?plugin_key=${ownKey}` },
    { name: 'nothing to bind', path: '/user/login/bind' },
    { name: 'bind', path: '/user/login/bind?id=1&mainUrl=/plugins/' },
  ];
  return screens.map((screen) => ({ ...screen, role: 'member' }));
}

/** Chooses a valid package and a broken one. */
async function readPackages(page: Page): Promise<void> {
  const files = [jsonFile('good.json', pluginPackage('Good', { id: '12' })), jsonFile('bad.json', '{')];
  await page.locator('main input[type=file]').first().setInputFiles(files);
  await page.locator('main tbody').nth(1).waitFor();
  await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
}

const BACKSTAGE = '/plugins/backstage-index';
const LISTS = [
  'kits',
  'reports',
  'tags',
  'marks',
  'banner-config',
  'collections',
  'qr-codes',
  'help/new',
  'help/1',
  'iconfont',
  'pexels',
  'tools',
];
const TABLES = ['audit-list', 'resource-state-list', 'members', 'audit-trail'];

const isShown = (page: Page) => page.locator('main table').waitFor();

const tab = (place: number) => async (page: Page) => {
  const chosen = page.locator('main [role=tab]').nth(place);
  await chosen.click();
  await chosen.and(page.locator('[aria-selected=true]')).waitFor();
};

function administratorScreens({ submissionId }: ScreenData): Screen[] {
  const screens: Omit<Screen, 'role'>[] = [
    {
      name: 'publish several',
      path: '/plugins/publish-plugin/batch',
      states: { read: readPackages },
      table: readPackages,
    },
    ...LISTS.map((name) => ({ name, path: `${BACKSTAGE}/${name}` })),
    ...TABLES.map((name) => ({ name, path: `${BACKSTAGE}/${name}`, table: isShown })),
    {
      name: 'overview',
      path: `${BACKSTAGE}/overview`,
      table: (page) => page.locator('main details > summary').click(),
    },
    {
      name: 'plugin-list',
      path: `${BACKSTAGE}/plugin-list`,
      states: { recommended: tab(1) },
      table: isShown,
    },
    { name: 'help', path: `${BACKSTAGE}/help`, states: { categories: tab(1) } },
    {
      name: 'review',
      path: `${BACKSTAGE}/audit-list/${submissionId}`,
      states: { listing: tab(1), code: tab(2), history: tab(3) },
    },
  ];
  return screens.map((screen) => ({ ...screen, role: 'administrator' }));
}
