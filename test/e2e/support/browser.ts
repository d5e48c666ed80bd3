import { type Browser, chromium } from 'playwright-core';
import tap from 'tap';
import { browserPath } from './browser-path.ts';
import { unexpectedComplaints } from './page.ts';

type Test = { teardown(action: () => Promise<void>): unknown };

/**
 * Starts a browser and closes it after the test, which fails if a page had an unexpected complaint.
 * @param args further command line arguments
 */
export async function openBrowser(t: Test, args: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: ['--no-sandbox', ...args],
  });
  t.teardown(async () => {
    await browser.close();
    const complaints = unexpectedComplaints(browser);
    if (complaints.length > 0) tap.fail('no page complains unexpectedly', { complaints });
  });
  return browser;
}
