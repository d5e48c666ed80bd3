import puppeteer, { type Browser, type Frame, type Page } from 'puppeteer-core';
import { debianProgram } from '../../support/debian-program.ts';
import { isHydrated } from './page.ts';

type Test = { teardown(action: () => Promise<void>): unknown };

/** Milliseconds after which a page shows no more what is waited for, and Firefox answers no more, however busy. */
const TIMEOUT = 120_000;

/** Said of a frame that goes while it fetches modules. A page that stays without them would not be hydrated. */
const ABORTED_IMPORT = /error loading dynamically imported module/;

/**
 * Starts Firefox by WebDriver BiDi: FIREFOX_PATH, one that is installed, or, as root on Debian, one installed now.
 * @throws Error that says what to install where there is none
 */
export async function openFirefox(t: Test): Promise<Browser> {
  const executablePath = process.env.FIREFOX_PATH ?? debianProgram(['firefox-esr', 'firefox'], 'firefox-esr');
  if (executablePath === undefined)
    throw new Error('Needs Firefox: install it (Debian: apt-get install firefox-esr), or set FIREFOX_PATH.');
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    timeout: TIMEOUT,
    protocolTimeout: 2 * TIMEOUT,
    extraPrefsFirefox: { 'intl.accept_languages': 'en-US', 'ui.prefersReducedMotion': 1 },
  });
  t.teardown(() => browser.close());
  return browser;
}

/** A page of a visitor of its own; errors on its console are added to `complaints`. */
export async function firefoxPage(browser: Browser, complaints: string[]): Promise<Page> {
  const page = await (await browser.createBrowserContext()).newPage();
  await page.setViewport({ width: 1440, height: 900 });
  page.setDefaultTimeout(TIMEOUT);
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => {
    if (!ABORTED_IMPORT.test(String(error))) complaints.push(String(error));
  });
  return page;
}

/** Opens an address and waits for hydration. The page comes to the front: Firefox draws no other one. */
export async function open(page: Page, url: string): Promise<void> {
  await page.bringToFront();
  await page.goto(url);
  await hydrated(page);
}

/** Waits for the hydration of the page that is there or comes next. */
export async function hydrated(page: Page | Frame): Promise<void> {
  await page.waitForFunction(isHydrated);
}

/** Something on the page: waited for, or clicked once it is there, in view and enabled. */
type Part = { wait(): Promise<unknown>; click(): Promise<void> };

const part = (page: Page | Frame, selector: string): Part => ({
  wait: () => page.waitForSelector(selector),
  click: () => page.locator(selector).click(),
});

export const text = (page: Page | Frame, words: string): Part => part(page, `::-p-text(${words})`);
export const button = (page: Page | Frame, name: string): Part =>
  part(page, `::-p-aria([name="${name}"][role="button"])`);
export const link = (page: Page | Frame, name: string): Part =>
  part(page, `::-p-aria([name="${name}"][role="link"])`);
