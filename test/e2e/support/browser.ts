import { type Browser, chromium } from 'playwright-core';
import tap from 'tap';
import { browserPath } from './browser-path.ts';

let launched: Promise<Browser> | undefined;

/** The browser of this process, a new one after a crash. For it, all hosts below site.test are this machine. */
export async function openBrowser(): Promise<Browser> {
  launched ??= launch();
  const browser = await launched;
  if (browser.isConnected()) return browser;
  launched = launch();
  return launched;
}

/** Where there is no graphics processor, drawing without one is cheaper than emulating it. */
const ARGS = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP *.site.test 127.0.0.1'];

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: browserPath(), args: ARGS });
  tap.teardown(() => browser.close());
  return browser;
}
