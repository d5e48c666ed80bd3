import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import type { Test } from 'tap';
import { TOAST_DURATION } from '../../../shared/constants.ts';
import { until } from '../../support/until.ts';
import { openBrowser } from './browser.ts';
import { followLastSeen } from './last-seen.ts';

/** Milliseconds: long enough for a busy machine. */
export const TIMEOUT_MS = 120_000;
/** Milliseconds between two loads of the same page. */
const LOAD_AGAIN_AFTER = 1000;
/** Milliseconds without a running request after which a page is idle. */
const IDLE_AFTER = 150;
const RELEASE_EVENT = 'release-hydration';
/** Milliseconds that toasts stay in tests: a test process that stalls would miss one of 1.5 seconds. */
const TOAST_STAYS = 8000;

export type PageOptions = BrowserContextOptions & {
  /** Complaints that the test provokes. */
  expected?: RegExp;
};

/**
 * Opens a page in its own context, with its own cookies and storage. Until the end of the test, at which the context is
 * closed, an unexpected complaint of the browser fails it. A test that fails says what its pages showed last.
 */
export async function newPage(t: Test, { expected, ...options }: PageOptions = {}): Promise<Page> {
  const browser = await openBrowser();
  const context = await browser.newContext({ locale: 'en-US', ...options });
  // Of the context: its other tabs and popups are as slow as its first page.
  context.setDefaultTimeout(TIMEOUT_MS);
  await context.addInitScript(keepToasts, [TOAST_DURATION, TOAST_STAYS] as const);
  let isOver = false;
  t.teardown(() => {
    isOver = true;
    return context.close();
  });
  reportFailure(t, followLastSeen(context));
  await listenForComplaints(context, (complaint) => {
    if (!isOver && !expected?.test(complaint)) t.fail(`the page complains: ${complaint}`);
  });
  return context.newPage();
}

/** Once, for the first test that fails. */
function reportFailure(t: Test, lastSeen: () => Promise<string>): void {
  let isReported = false;
  const report = async (test: Pick<Test, 'passing'>): Promise<void> => {
    if (isReported || test.passing()) return;
    isReported = true;
    process.stderr.write(`${await lastSeen()}\n`);
  };
  t.afterEach(report);
  t.teardown(() => report(t));
}

/** Runs in the page: timers as long as a toast's last as long as tests need. */
function keepToasts([duration, stays]: readonly [number, number]): void {
  const { setTimeout: start } = window;
  window.setTimeout = Object.assign(
    (handler: TimerHandler, timeout?: number, ...rest: unknown[]): number =>
      start(handler, timeout === duration ? stays : timeout, ...rest),
    start,
  );
}

/** Runs in the page: whether React has hydrated it and run its effects, which listen for keys. */
export function isHydrated(): boolean {
  const isRead = document.readyState !== 'loading' && document.querySelector('#root > *') !== null;
  return isRead && document.getElementById('start') === null;
}

/** Waits for hydration: buttons and keys work afterwards. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(isHydrated);
}

/** Opens an address and waits for hydration. */
export async function openPage(page: Page, url: string, options: { referer?: string } = {}): Promise<void> {
  await page.goto(url, options);
  await waitForHydration(page);
}

/** Reloads an address until a condition holds: public pages are cached for some seconds. */
export async function loadUntil(page: Page, url: string, isMet: () => Promise<boolean>): Promise<void> {
  await until(async () => {
    await openPage(page, url);
    await page.locator('main').waitFor();
    return (await isMet()) || delay(LOAD_AGAIN_AFTER, false);
  });
}

/** Waits for two frames: a sortable list handles keys only after it has drawn the picked-up item. */
export async function waitForFrames(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
      }),
  );
}

/** Moves an entry of a sortable list by one place. @param places announced before and after, as "1 of 2" */
export async function moveByKeyboard(
  page: Page,
  name: string,
  key: 'ArrowUp' | 'ArrowDown',
  places: readonly [from: string, to: string],
): Promise<void> {
  await page.getByRole('button', { name: `Move “${name}”`, exact: true }).focus();
  for (const [index, place] of places.entries()) {
    await page.keyboard.press(index === 0 ? 'Space' : key);
    await page.getByText(`“${name}” is now at place ${place}`).waitFor({ state: 'attached' });
    await waitForFrames(page);
  }
  await page.keyboard.press('Space');
}

/**
 * Follows the requests of a page. Returns a function that waits until none has run for a moment; Playwright's own
 * `networkidle` waits for half a second.
 */
export function followRequests(page: Page): () => Promise<void> {
  const running = new Set<Request>();
  let last = performance.now();
  const ended = (request: Request): void => {
    running.delete(request);
    last = performance.now();
  };
  page.on('request', (request) => running.add(request));
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return async () => {
    while (running.size > 0 || performance.now() - last < IDLE_AFTER)
      await page.waitForTimeout(IDLE_AFTER / 3);
  };
}

/**
 * Later documents of the page hydrate only their outermost boundary until `releaseHydration`, as on a slow device.
 */
export async function holdHydration(page: Page): Promise<void> {
  await page.addInitScript((release) => {
    const { postMessage } = MessagePort.prototype;
    const held: (() => void)[] = [];
    let isHeld = true;
    const isRootHydrated = (): boolean => {
      const first = document.querySelector('#root > *') ?? {};
      return Object.keys(first).some((key) => key.startsWith('__reactProps'));
    };
    // React's scheduler continues its work by a message to itself.
    MessagePort.prototype.postMessage = function (...message: unknown[]) {
      const send = (): void => Reflect.apply(postMessage, this, message);
      if (isHeld && isRootHydrated()) held.push(send);
      else send();
    };
    addEventListener(release, () => {
      isHeld = false;
      for (const send of held) send();
    });
  }, RELEASE_EVENT);
}

export async function releaseHydration(page: Page): Promise<void> {
  await page.evaluate((release) => dispatchEvent(new Event(release)), RELEASE_EVENT);
}

export async function isUnhydrated(element: Locator): Promise<boolean> {
  return element.evaluate((node) => !Object.keys(node).some((key) => key.startsWith('__reactProps')));
}

/**
 * Reports errors and warnings of the console, uncaught errors and violations of the Content-Security-Policy of all pages
 * and frames of a context.
 */
async function listenForComplaints(
  context: BrowserContext,
  complain: (complaint: string) => void,
): Promise<void> {
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const { url } = message.location();
    complain(url ? `${message.text()} (${url})` : message.text());
  });
  context.on('weberror', (event) => {
    const error = event.error();
    complain(`${error.stack || `${error.name} ${error.message}`} (${event.page()?.url() ?? ''})`);
  });
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      console.error(`Content-Security-Policy: ${violatedDirective} forbids ${blockedURI} (${sourceFile})`);
    });
  });
}

/** Milliseconds in which a popup closes, before its item is pressed again. */
const POPUP_CLOSES = 5000;

/**
 * Chooses an item of a menu or list that closes with it, as people do: if nothing happens, again. On a busy machine a popup that
 * has just opened may still move between press and release, and the click is nobody's.
 */
export async function choose(item: Locator): Promise<void> {
  await item.waitFor();
  for (let open = true; open; ) {
    await item.click();
    open = await item.waitFor({ state: 'hidden', timeout: POPUP_CLOSES }).then(
      () => false,
      () => true,
    );
  }
}
