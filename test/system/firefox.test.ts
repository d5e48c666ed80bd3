/** The most frequent actions in Firefox: sign up and in, publish, review, install and like. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from 'puppeteer-core';
import t from 'tap';
import { type Account, ADMIN, newAccount } from '../e2e/support/account.ts';
import {
  button,
  firefoxPage,
  firefoxPath,
  link,
  NO_FIREFOX,
  open,
  openFirefox,
  text,
  waitForHydration,
} from '../e2e/support/firefox.ts';
import { ownProduct } from '../e2e/support/product.ts';
import { packageFile, pictureFile, type TestFile } from '../e2e/support/publish-files.ts';
import { PUBLISH_PAGE } from '../e2e/support/publish-form.ts';

const NAME = 'Fire Compass';
const skip = firefoxPath() === undefined && NO_FIREFOX;

t.test('the most frequent actions in Firefox', { skip }, async (t) => {
  const { origin } = await ownProduct(t);
  const browser = await openFirefox(t);
  const complaints: string[] = [];
  const admin = await firefoxPage(browser, complaints);
  const publisher = await firefoxPage(browser, complaints);
  const visitor = await firefoxPage(browser, complaints);
  /** Firefox reads files when it sends them, so they must exist for the whole test. */
  const folder = t.testdir({});
  /** Address of the submitted plugin. */
  let pluginPath = '';

  async function fill(page: Page | Frame, values: Record<string, string>): Promise<void> {
    for (const [selector, value] of Object.entries(values)) await page.locator(selector).fill(value);
  }

  async function signUp(page: Page | Frame, { email, name, password }: Account): Promise<void> {
    await fill(page, {
      'input[name=email]': email,
      'input[name=nick_name]': name,
      'input[name=password]': password,
    });
    await page.locator('form button[type=submit]').click();
  }

  async function choose(page: Page, field: string, file: TestFile): Promise<void> {
    const path = join(folder, file.name);
    await writeFile(path, file.buffer);
    const input = await page.waitForSelector(`[data-field=${field}] input[type=file]`);
    if (!input || !(await input.evaluate((element) => element instanceof HTMLInputElement)))
      throw new Error(`no file field ${field}`);
    await input.uploadFile(path);
  }

  t.test('a user signs up and publishes a plugin', async (t) => {
    const page = publisher;
    await open(page, `${origin}/plugins/`);
    await page.locator('header a[href*="page=sign_up"]').click();
    await page.waitForSelector('input[name=email]');
    await waitForHydration(page);
    await signUp(page, newAccount('Ada Maker'));
    await page.waitForFunction(isBack);
    await open(page, origin + PUBLISH_PAGE);
    await choose(page, 'code', packageFile({ name: { 'en-US': NAME } }));
    await text(page, 'Filled in from the package').wait();
    await choose(page, 'icon', await pictureFile('icon.png', 64, 64));
    await choose(page, 'cover', await pictureFile('cover.png', 1280, 720));
    await fill(page, {
      '::-p-aria([name="Intro"][role="textbox"])': 'Shows where north is.',
      '::-p-aria([name="Description"][role="textbox"])': 'It turns with the page.',
      '::-p-aria([name="Contact"][role="textbox"])': 'help@example.com',
      '::-p-aria([name="Version description"][role="textbox"])': 'The first one.',
    });
    await page.locator('form button[type=submit]').click();
    await text(page, 'It’s waiting for review.').wait();
    pluginPath = await page.$eval('a::-p-text(See its page)', (shown) => shown.getAttribute('href') ?? '');
    t.match(pluginPath, /^\/plugins\/plugin\/[\w-]{16}$/);
  });

  t.test('an administrator signs in, reviews and approves it', async (t) => {
    const page = admin;
    await open(page, `${origin}/plugins/`);
    await page.locator('header a[href^="/api/auth/login"]').click();
    await page.waitForSelector('input[name=account]');
    await waitForHydration(page);
    await fill(page, { 'input[name=account]': ADMIN.email, 'input[name=password]': ADMIN.password });
    await page.locator('form button[type=submit]').click();
    await page.waitForFunction(isBack);
    await open(page, `${origin}/plugins/backstage-index/audit-list`);
    await link(page, NAME).click();
    await page.locator('[role=tab]::-p-text(Code)').click();
    await button(page, 'Approve').click();
    await text(page, `“${NAME}” is approved.`).wait();
    t.equal(new URL(page.url()).pathname.startsWith('/plugins/backstage-index/audit-list'), true);
  });

  t.test('a visitor signs up while installing it, and likes it', async () => {
    const page = visitor;
    await page.evaluateOnNewDocument(waitLongerForFrame);
    await open(page, origin + pluginPath);
    // A busy product sends the page without the plugin, which is loaded later.
    await page.waitForSelector(`h1::-p-text(${NAME})`);
    await button(page, `Install ${NAME}`).click();
    // Not the empty document before it: a wait that begins there does not go on in the next one.
    const frame = await page.waitForFrame((one) => one.url().includes('/user/login'));
    await frame.waitForSelector('input[name=account]');
    await waitForHydration(frame);
    await link(frame, 'Create an account').click();
    await frame.waitForSelector('input[name=email]');
    await signUp(frame, newAccount('Grace'));
    await text(page, 'Plugin installed').wait();
    await button(page, `Like ${NAME} (0 likes)`).click();
    await page.waitForSelector('main button[aria-pressed=true]');
    await open(page, `${origin}/plugins/my-plugins`);
    await page.locator('[role=tab]::-p-text(Installed)').click();
    await text(page, NAME).wait();
  });
});

/** Runs in the page: whether the sign-in page has redirected to the site. */
function isBack(): boolean {
  return location.pathname.startsWith('/plugins/');
}

/** Runs in the page. The dialog replaces a frame that has not loaded in ten seconds; a busy machine may need longer. */
function waitLongerForFrame(): void {
  const { setTimeout: original } = window;
  const later = (action: TimerHandler, ms = 0, ...args: unknown[]): number =>
    original(action, ms === 10_000 ? 300_000 : ms, ...args);
  Object.assign(window, { setTimeout: later });
}
