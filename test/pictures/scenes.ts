import type { Page } from 'playwright-core';
import { HELP_PATH } from '../../shared/constants.ts';

/** A page with a stored screenshot. */
export type Scene = {
  name: string;
  path: string;
  width: 1440 | 768 | 375;
  /** Value of the language cookie. */
  lang: 'en' | 'zh-CN' | 'ru' | 'jp' | 'es';
  scheme: 'light' | 'dark';
  /** Opened by the administrator instead of a visitor. */
  isAdmin?: boolean;
  /** Runs before the screenshot. */
  prepare?: (page: Page) => Promise<void>;
};

const PLUGIN = '/plugins/plugin/square-icon-harbor';
const QUEUE = '/plugins/backstage-index/audit-list';

/** Twelve pages: every kind of page, three widths, both schemes, Latin, Cyrillic, Chinese and Japanese. */
export const SCENES: readonly Scene[] = [
  { name: 'home', path: '/plugins/', width: 1440, lang: 'en', scheme: 'light' },
  { name: 'home-dark', path: '/plugins/', width: 1440, lang: 'ru', scheme: 'dark' },
  { name: 'home-phone', path: '/plugins/', width: 375, lang: 'zh-CN', scheme: 'light' },
  { name: 'search', path: '/plugins/?keyword=icon', width: 1440, lang: 'en', scheme: 'light' },
  { name: 'plugin', path: PLUGIN, width: 1440, lang: 'en', scheme: 'light' },
  { name: 'plugin-phone', path: PLUGIN, width: 375, lang: 'zh-CN', scheme: 'dark' },
  { name: 'sign-in', path: PLUGIN, width: 1440, lang: 'en', scheme: 'light', prepare: install },
  { name: 'help', path: HELP_PATH, width: 768, lang: 'jp', scheme: 'light' },
  {
    name: 'publish',
    path: '/plugins/publish-plugin/single',
    width: 1440,
    lang: 'en',
    scheme: 'light',
    isAdmin: true,
  },
  { name: 'queue', path: QUEUE, width: 1440, lang: 'ru', scheme: 'light', isAdmin: true },
  {
    name: 'review',
    path: QUEUE,
    width: 1440,
    lang: 'zh-CN',
    scheme: 'dark',
    isAdmin: true,
    prepare: openFirst,
  },
  {
    name: 'plugins',
    path: '/plugins/backstage-index/plugin-list',
    width: 1440,
    lang: 'es',
    scheme: 'dark',
    isAdmin: true,
  },
];

async function install(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Install Icon Harbor' }).first().click();
  await page.frameLocator('iframe[title="Sign in"]').locator('input[name=password]').waitFor();
}

async function openFirst(page: Page): Promise<void> {
  await page.locator('tbody th a').first().click();
  await page.getByRole('tabpanel').waitFor();
}

/** The pictures of the README, in `docs/images`: taken with the kept ones, but not compared. */
export const README_SCENES: readonly Scene[] = [
  { name: 'home', path: '/plugins/', width: 1440, lang: 'en', scheme: 'light' },
  { name: 'plugin', path: PLUGIN, width: 1440, lang: 'en', scheme: 'light' },
  {
    name: 'review',
    path: QUEUE,
    width: 1440,
    lang: 'en',
    scheme: 'light',
    isAdmin: true,
    prepare: openFirst,
  },
];
