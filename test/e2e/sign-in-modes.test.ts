import type { Frame, Page } from 'playwright-core';
import t from 'tap';
import { SIGNED_IN_MESSAGE } from '../../shared/constants.ts';
import { type Account, newAccount } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { openPage, waitForHydration, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

async function fillSignUp(form: Page | Frame, account: Account): Promise<void> {
  await form.locator('input[name=email]').fill(account.email);
  await form.locator('input[name=nick_name]').fill(account.name);
  await form.locator('input[name=password]').fill(account.password);
  await form.locator('button[type=submit]').click();
}

/** Runs in the page: resolves with the first message of this type from its own origin. */
const listen = (type: string) =>
  new Promise((resolve) => {
    addEventListener('message', (event) => {
      if (event.origin === location.origin && event.data.type === type) resolve(event.data);
    });
  });

t.test('signing in without leaving the page', async (t) => {
  const origin = await runningProduct(t);
  const browser = await openBrowser(t);

  t.test('in a window that notifies its opener and closes', async (t) => {
    const { page, complaints } = await watchedPage(browser, {});
    await openPage(page, `${origin}/plugins/`);
    const notification = page.evaluate(listen, SIGNED_IN_MESSAGE);
    const opening = page.context().waitForEvent('page');
    await page.evaluate(() => void open('/api/auth/login?ux_mode=popup&page=sign_up', '_blank', 'popup'));
    const popup = await opening;
    const closed = popup.waitForEvent('close');
    await waitForHydration(popup);
    await fillSignUp(popup, newAccount('Popup'));
    t.hasStrict(await notification, { type: SIGNED_IN_MESSAGE });
    await closed;
    await page.reload();
    await page.getByRole('button', { name: 'Popup’s account menu' }).waitFor();
    t.strictSame(complaints, []);
    await page.context().close();
  });

  t.test('in a frame that notifies its page', async (t) => {
    const { page, complaints } = await watchedPage(browser, {});
    await openPage(page, `${origin}/plugins/`);
    const notification = page.evaluate(listen, SIGNED_IN_MESSAGE);
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.name = 'sign-in';
      frame.src = '/api/auth/login?ux_mode=auth&page=sign_up';
      document.body.prepend(frame);
      frame.setAttribute('width', '600');
      frame.setAttribute('height', '700');
    });
    await page.frameLocator('iframe[name=sign-in]').locator('input[name=email]').waitFor();
    const frame = page.frame('sign-in');
    if (!frame) throw new Error('the page has no frame');
    await fillSignUp(frame, newAccount('Framed'));
    t.hasStrict(await notification, { type: SIGNED_IN_MESSAGE });
    await page.reload();
    await page.getByRole('button', { name: 'Framed’s account menu' }).waitFor();
    t.strictSame(complaints, []);
    await page.context().close();
  });
});
