import { type Browser, chromium } from 'playwright-core';

/** The Chromium that tests drive: CHROME_PATH, else Debian's. */
export function browserPath(): string {
  return process.env.CHROME_PATH ?? '/usr/bin/chromium';
}

/** Starts a browser, closed after the test. */
export async function openBrowser(t: { teardown(action: () => Promise<void>): unknown }): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  return browser;
}
