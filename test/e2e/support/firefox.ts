import puppeteer, { type Browser, type Frame, type Page } from 'puppeteer-core';
import { installedProgram, notInstalled } from '../../support/programs.ts';
import { isHydrated, TIMEOUT_MS } from './page.ts';

type Test = { teardown(action: () => Promise<void>): unknown };

/** Logged when a frame is removed while it loads modules. A page without its modules would not be hydrated. */
const ABORTED_IMPORT = /error loading dynamically imported module/;

export const NO_FIREFOX = notInstalled('Firefox', 'firefox-esr');

/** FIREFOX_PATH, or the installed Firefox. */
export function firefoxPath(): string | undefined {
  return process.env.FIREFOX_PATH ?? installedProgram('firefox-esr', 'firefox');
}

/** Starts Firefox by WebDriver BiDi. */
export async function openFirefox(t: Test): Promise<Browser> {
  const executablePath = firefoxPath();
  if (executablePath === undefined) throw new Error(NO_FIREFOX);
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    timeout: TIMEOUT_MS,
    protocolTimeout: 2 * TIMEOUT_MS,
    extraPrefsFirefox: { 'intl.accept_languages': 'en-US', 'ui.prefersReducedMotion': 1 },
  });
  t.teardown(() => browser.close());
  return browser;
}

/** A page in its own context; console errors are added to `complaints`. */
export async function firefoxPage(browser: Browser, complaints: string[]): Promise<Page> {
  const page = await (await browser.createBrowserContext()).newPage();
  await page.setViewport({ width: 1440, height: 900 });
  page.setDefaultTimeout(TIMEOUT_MS);
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => {
    if (!ABORTED_IMPORT.test(String(error))) complaints.push(String(error));
  });
  return page;
}

/** Opens an address and waits for hydration. Firefox draws only the page in front. */
export async function open(page: Page, url: string): Promise<void> {
  await page.bringToFront();
  await page.goto(url);
  await waitForHydration(page);
}

/** Waits for the hydration of the current or next page. */
export async function waitForHydration(page: Page | Frame): Promise<void> {
  await page.waitForFunction(isHydrated);
}

/** An element that can be awaited, or clicked when it is visible and enabled. */
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
