import { type Browser, chromium } from 'playwright-core';
import tap from 'tap';
import { browserPath } from './browser-path.ts';

let launched: Promise<Browser> | undefined;

/** The browser of this process. For it, all hosts below site.test are this machine. */
export function openBrowser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: ['--no-sandbox', '--host-resolver-rules=MAP *.site.test 127.0.0.1'],
  });
  tap.teardown(() => browser.close());
  return browser;
}
