import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { newAccount } from '../support/account.ts';
import { expect } from '../support/expect.ts';
import { sharedOverseasSite } from '../support/overseas-site.ts';
import { openPage, type PageOptions } from '../support/page.ts';
import { packageFile } from '../support/publish-files.ts';
import { PUBLISH_PAGE, submit } from '../support/publish-form.ts';
import { recordAnnouncements, waitForAnnouncement } from './announcements.ts';
import { keyboardOf } from './keyboard.ts';
import type { Role } from './screens.ts';
import { pageAs, prepareScreens } from './setup.ts';

t.test('everything works with the keyboard alone', async (t) => {
  const product = await sharedOverseasSite();
  const { origin } = product;
  const { data, accounts } = await prepareScreens(t, product);

  const open = async (t: Test, path: string, role: Role = 'visitor', options: PageOptions = {}) => {
    const page = await pageAs(t, product, accounts[role], { reducedMotion: 'reduce', ...options });
    await recordAnnouncements(page.context());
    await openPage(page, origin + path);
    return { page, keys: keyboardOf(page) };
  };
  const cookies = (page: Page) => page.getByRole('region', { name: 'Your cookies, your choice' });

  t.test(
    'the cookie banner is reachable, covers no focus, and its dialog traps and returns the focus',
    async (t) => {
      const { page, keys } = await open(t, '/plugins/');
      await cookies(page).waitFor();
      t.ok((await keys.tabThroughPage()) > 20, 'Tab reaches the whole page behind the banner');
      const settings = cookies(page).getByRole('button', { name: 'Cookie Settings' });
      await keys.press(settings);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('switch', { name: 'Marketing' }).waitFor();
      for (let stop = 0; stop < 8; stop += 1) {
        await page.keyboard.press('Tab');
        await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]'));
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect(settings).toBeFocused();
      await keys.press(cookies(page).getByRole('button', { name: 'Reject All' }));
      await cookies(page).waitFor({ state: 'detached' });
      t.strictSame(keys.problems, []);
    },
  );

  t.test('a visitor searches a plugin, signs up to install it, likes, shares and reports it', async (t) => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, keys } = await open(t, '/plugins/', 'visitor', { permissions });
    await keys.press(cookies(page).getByRole('button', { name: 'Reject All' }));
    await keys.type(page.getByRole('combobox', { name: 'Search plugins' }), 'contrast');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Results for “contrast”' }).waitFor();
    await waitForAnnouncement(page, 'plugin');
    const first = page.locator('section[aria-labelledby=results] article h3 a').first();
    const name = await first.innerText();
    await keys.press(first);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'main');
    await waitForAnnouncement(page, name);

    const actions = page.locator('article header');
    const install = actions.getByRole('button', { name: /^Install / });
    await keys.press(install);
    const form = page.getByRole('dialog').frameLocator('iframe');
    // The form handles keys after hydration, which may also move the focus.
    await form.locator('button[type=submit]:enabled').waitFor();
    await keys.press(form.getByRole('link', { name: 'Create an account' }));
    await form.locator('input[name=email]').waitFor();
    await form.locator('button[type=submit]:enabled').waitFor();
    const account = newAccount();
    await keys.type(form.locator('input[name=email]'), account.email);
    await keys.type(form.locator('input[name=nick_name]'), account.name);
    await keys.type(form.locator('input[name=password]'), account.password);
    await page.keyboard.press('Enter');
    await waitForAnnouncement(page, 'Plugin installed');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await actions
      .getByRole('button', { name: /^Installed|^Uninstall/ })
      .first()
      .waitFor();

    await page.waitForFunction(() => document.activeElement?.closest('article header'));
    await keys.press(actions.getByRole('button', { name: /^Like / }), 'Space');
    await waitForAnnouncement(page, 'Liked');
    await keys.press(page.getByRole('button', { name: 'Copy link' }));
    await waitForAnnouncement(page, 'Link copied');
    t.match(await page.evaluate(() => navigator.clipboard.readText()), /\/plugins\/plugin\//);

    const report = page.getByRole('button', { name: 'Report' });
    await keys.press(report);
    const dialog = page.getByRole('dialog');
    await keys.tabTo(dialog.getByRole('radio').first());
    await page.keyboard.press('ArrowDown');
    await expect(dialog.getByRole('radio').nth(1)).toBeChecked();
    await keys.type(dialog.getByLabel('Describe the problem'), 'It never opens.');
    await keys.press(dialog.getByRole('button', { name: 'Send report' }));
    await waitForAnnouncement(page, 'Report sent. Thank you.');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'Report');
    t.strictSame(keys.problems, []);
  });

  t.test('a member publishes a plugin from the account menu', async (t) => {
    const { page, keys } = await open(t, '/plugins/my-plugins', 'member');
    await keys.press(cookies(page).getByRole('button', { name: 'Reject All' }));
    await keys.press(page.getByRole('button', { name: /’s account menu$/ }));
    const entry = page.getByRole('menuitem', { name: 'Publish a plugin' });
    await entry.waitFor();
    for (
      let step = 0;
      step < 10 && !(await entry.evaluate((one) => one === document.activeElement));
      step += 1
    )
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}${PUBLISH_PAGE}`);
    await submit(page).waitFor();
    const chooses = page.waitForEvent('filechooser');
    await keys.press(page.locator('[data-field=code] input[type=file]'));
    await (await chooses).setFiles(packageFile({ name: { 'en-US': 'By Keys Alone' } }));
    await page.getByText('Filled in from the package').waitFor();
    await keys.type(page.getByLabel('Intro', { exact: true }), 'Counts.');
    await keys.type(page.getByLabel('Description', { exact: true }), 'It counts.');
    await keys.type(page.getByLabel('Version description', { exact: true }), 'The first one.');
    await keys.type(page.getByLabel('Contact', { exact: true }), 'help@example.com');
    await keys.press(submit(page));
    await page.getByRole('heading', { name: 'Submitted' }).waitFor();
    t.strictSame(keys.problems, []);
  });

  t.test('an administrator finds it in the review list and approves it', async (t) => {
    const { page, keys } = await open(t, '/plugins/backstage-index/audit-list', 'administrator');
    const row = page.getByRole('row').filter({ hasText: 'By Keys Alone' });
    await keys.press(row.getByRole('link').first());
    await page.getByRole('heading', { level: 1 }).filter({ hasText: 'By Keys Alone' }).waitFor();
    const listing = page.getByRole('tab', { name: 'Listing' });
    await keys.tabTo(page.getByRole('tab', { name: 'Check' }));
    await page.keyboard.press('ArrowRight');
    await listing.and(page.locator('[aria-selected=true]')).waitFor();
    await keys.press(page.getByRole('button', { name: 'Approve' }));
    await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Approve' }));
    await waitForAnnouncement(page, '“By Keys Alone” is approved.');
    t.strictSame(keys.problems, []);
  });

  t.test('header menus open, close with Escape and return the focus', async (t) => {
    const { page, keys } = await open(t, `/plugins/plugin/${data.pluginKey}`);
    const words = page.locator('header nav button[aria-expanded]:visible');
    await words.first().waitFor();
    for (const word of await words.all()) {
      await keys.press(word);
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-expanded') === 'true');
      await word.locator('xpath=..').locator('a:visible').first().waitFor();
      await page.keyboard.press('Tab');
      await expect(word).toHaveAttribute('aria-expanded', 'true');
      await page.keyboard.press('Escape');
      await expect(word).toBeFocused();
      await expect(word).toHaveAttribute('aria-expanded', 'false');
    }
    t.strictSame(keys.problems, []);
  });

  t.test('the drawer of a small window closes with Escape and returns the focus', async (t) => {
    const viewport = { width: 375, height: 812 };
    const { page, keys } = await open(t, '/plugins/403', 'visitor', { viewport, expected: /status of 403/ });
    const opener = page.getByRole('button', { name: 'Open menu' });
    await keys.press(opener);
    const drawer = page.getByRole('dialog');
    await drawer.waitFor();
    // Its content is visible only after the drawer has slid in.
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
    await keys.press(drawer.locator('button[aria-expanded]').first(), 'Space');
    await expect(drawer.locator('button[aria-expanded=true]')).toHaveCount(1);
    await page.keyboard.press('Tab');
    t.equal(await drawer.evaluate((one) => one.contains(document.activeElement)), true);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expect(opener).toBeFocused();
    t.strictSame(keys.problems, []);
  });

  for (const [role, path] of [
    ['visitor', `/plugins/plugin/${data.pluginKey}`],
    ['member', '/plugins/my-plugins'],
    ['member', PUBLISH_PAGE],
    ['administrator', '/plugins/backstage-index/audit-list'],
    ['administrator', `/plugins/backstage-index/audit-list/${data.submissionId}`],
  ] as const) {
    t.test(`the focus is always visible on ${path}`, async (t) => {
      const { page, keys } = await open(t, path, role);
      await page.locator('h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      t.ok((await keys.tabThroughPage()) > 5);
      t.strictSame(keys.problems, []);
    });
  }
});
