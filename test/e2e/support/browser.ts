import { type Browser, chromium } from 'playwright-core';
import tap from 'tap';
import { browserPath } from './browser-path.ts';
import { unexpectedComplaints } from './complaints.ts';

/** Starts a browser, closed after the test, which fails if a page complained about something not expected. */
export async function openBrowser(t: { teardown(action: () => Promise<void>): unknown }): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
  t.teardown(async () => {
    await browser.close();
    const complaints = unexpectedComplaints(browser);
    if (complaints.length > 0) tap.fail('no page complains unexpectedly', { complaints });
  });
  return browser;
}
