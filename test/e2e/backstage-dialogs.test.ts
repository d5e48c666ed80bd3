/** Dialogs of the backstage show their action without scrolling, on a desktop and on a small phone, and keep input. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { addAccount, adminPage, newAccount, signedInPage } from './support/account.ts';
import { send } from './support/api.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { choose, waitForFrames } from './support/page.ts';
import { sharedBackstage } from './support/product.ts';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 375, height: 667 },
];

type Open = (page: Page) => Promise<void>;

const press =
  (name: string | RegExp): Open =>
  (page) =>
    page.getByRole('main').getByRole('button', { name }).first().click();
const inMenu =
  (item: string, actions = /^Actions for/): Open =>
  async (page) => {
    await press(actions)(page);
    await choose(page.getByRole('menuitem', { name: item }));
  };
const selected =
  (button: string): Open =>
  async (page) => {
    await page
      .getByRole('checkbox', { name: /^Select “/ })
      .first()
      .check();
    await press(button)(page);
  };
const tab =
  (name: string, open: Open): Open =>
  async (page) => {
    await page.getByRole('tab', { name }).click();
    await open(page);
  };

const EDIT = /^Edit/;
const DELETE = /^Delete/;
const PLACE = /^Place 2/;
/** Nobody changes their own account here. */
const MEMBER = /^Actions for “Mira/;

/** Screens with the actions of their dialogs and how to open them. */
const DIALOGS: [screen: string, opens: [action: string, open: Open][]][] = [
  [
    'audit-list',
    [
      ['Approve', selected('Approve')],
      ['Reject', selected('Reject')],
    ],
  ],
  [
    'plugin-list',
    [
      [
        'Install by default',
        (page) =>
          page
            .getByRole('switch', { name: /^Install/ })
            .first()
            .click(),
      ],
      ['Save', inMenu('Set mark…')],
      ['Delete', inMenu('Delete')],
      ['Move', tab('Recommended', press(PLACE))],
    ],
  ],
  ['reports', [['Decide', press('Decide')]]],
  [
    'tags',
    [
      ['Save', press('Add a tag')],
      ['Save', press(EDIT)],
      ['Merge', press(/^Merge/)],
      ['Move', press(PLACE)],
    ],
  ],
  [
    'marks',
    [
      ['Save', press('Add a mark')],
      ['Save', press(EDIT)],
    ],
  ],
  ['resource-state-list', [['Apply', press('Add a resource slot')]]],
  [
    'banner-config',
    [
      ['Save', press('Add a banner')],
      ['Save', press(EDIT)],
      ['Delete', press(DELETE)],
    ],
  ],
  ['qr-codes', [['Save', press('Add a QR code')]]],
  [
    'community',
    [
      ['Save', press('Add a work')],
      ['Save', press(EDIT)],
      ['Delete', press(DELETE)],
      ['Save', press('Edit the activity card')],
      ['Delete', press('Delete the activity card')],
    ],
  ],
  [
    'help',
    [
      ['Delete', press(DELETE)],
      ['Save', tab('Categories', press('Add a category'))],
      ['Save', press(EDIT)],
      ['Delete', press(DELETE)],
    ],
  ],
  [
    'members',
    [
      ['Sign out everywhere', inMenu('Sign out everywhere', MEMBER)],
      ['Create link', inMenu('Password reset link', MEMBER)],
      ['Disable', inMenu('Disable', MEMBER)],
    ],
  ],
  ['tools', [['Register', press('Register a tool')]]],
];

/** Whether the action of the open dialog is inside the window and not covered. */
function inView(page: Page, action: string): Promise<boolean> {
  return page
    .getByRole('dialog')
    .getByRole('button', { name: action, exact: true })
    .evaluate((button) => {
      const { left, right, top, bottom } = button.getBoundingClientRect();
      const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      const drawnThere = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return isInside && button.contains(drawnThere);
    });
}

/** Whether the line of actions ends the open dialog, with space between it and the text. */
function isFootApart(page: Page, action: string): Promise<boolean> {
  return page
    .getByRole('dialog')
    .getByRole('button', { name: action, exact: true })
    .evaluate((button) => {
      const foot = button.parentElement;
      const text = foot?.previousElementSibling;
      const window = button.closest('[role="dialog"]');
      if (!foot || !text || !window) return false;
      const isScrolled = window.scrollHeight > window.clientHeight;
      const gap = foot.getBoundingClientRect().top - text.getBoundingClientRect().bottom;
      const below = window.getBoundingClientRect().bottom - foot.getBoundingClientRect().bottom;
      return (isScrolled || gap >= 16) && below <= 1;
    });
}

t.test('the action of every dialog is in view', async (t) => {
  const product = await sharedBackstage();
  const { origin, pool } = product;
  await signedInPage(t, product, await addAccount(product, newAccount('Mira')));
  const page = await adminPage(t, product);
  const { plugin_list } = await send(page, 'GET', 'plugin/list');
  const { plugin_key } = plugin_list[0];
  await send(page, 'POST', 'plugin/report', { plugin_key, kind: 'broken', reason: 'It stopped working.' });
  t.teardown(() => pool.query('delete from community.report').then(() => undefined));
  for (const size of SIZES) {
    t.test(`at ${size.width} × ${size.height}`, async (t) => {
      await page.setViewportSize(size);
      const hidden: string[] = [];
      const cramped: string[] = [];
      for (const [screen, opens] of DIALOGS) {
        await openScreen(page, origin, screen);
        for (const [action, open] of opens) {
          await open(page);
          const dialog = page.getByRole('dialog');
          await dialog.getByRole('button', { name: action, exact: true }).waitFor();
          await dialog.evaluate((window) =>
            Promise.all(window.getAnimations().map(({ finished }) => finished)),
          );
          await waitForFrames(page);
          const name = `${screen}: ${await dialog.getByRole('heading').first().innerText()}`;
          if (!(await inView(page, action))) hidden.push(name);
          if (!(await isFootApart(page, action))) cramped.push(name);
          await page.keyboard.press('Escape');
          await dialog.waitFor({ state: 'detached' });
          // It would close a menu that is open by then.
          await expect(page.getByRole('main').locator(':focus'), name).toHaveCount(1);
        }
      }
      t.strictSame(hidden, []);
      t.strictSame(cramped, [], 'a line apart from the text above, at the edge of the window');
    });
  }
});

t.test('what was typed into a dialog is not lost by a slip', async (t) => {
  const product = await sharedBackstage();
  const page = await adminPage(t, product);
  await openScreen(page, product.origin, 'tags');
  const add = page.getByRole('main').getByRole('button', { name: 'Add a tag' });
  const dialog = page.getByRole('dialog', { name: 'Add a tag' });
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });

  t.test('an untouched dialog closes at a click beside it', async () => {
    await add.click();
    await dialog.waitFor();
    await page.mouse.click(5, 400);
    await dialog.waitFor({ state: 'detached' });
  });

  for (const [slip, close] of Object.entries<Open>({
    'a click beside it': (page) => page.mouse.click(5, 400),
    Escape: (page) => page.keyboard.press('Escape'),
    'the cross': () => dialog.getByRole('button', { name: 'Cancel' }).first().click(),
  }))
    t.test(`${slip} asks first`, async () => {
      await add.click();
      await dialog.getByRole('textbox').first().fill('Half a tag');
      await close(page);
      await question.getByText('Keep editing').click();
      await question.waitFor({ state: 'detached' });
      await expect(dialog.getByRole('textbox').first()).toHaveValue('Half a tag');
      await close(page);
      await question.getByText('Discard', { exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    });

  t.test('a choice that is missing gets the focus, and says so', async () => {
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Merge/ })
      .first()
      .click();
    const merge = page.getByRole('dialog');
    // The dialog takes the focus some frames after it is drawn.
    await page.locator('[role=dialog]:focus, [role=dialog] :focus').waitFor();
    await waitForFrames(page);
    await waitForFrames(page);
    // On a busy machine the dialog may take the focus later still, after the click.
    await expect(async () => {
      await merge.getByRole('button', { name: 'Merge', exact: true }).click();
      await expect(merge.getByRole('combobox')).toBeFocused({ timeout: 2000 });
    }).toPass();
    await expect(merge.getByRole('combobox')).toHaveAttribute('aria-invalid', 'true');
  });
});

t.test('a dialog that was opened from a menu', async (t) => {
  const product = await sharedBackstage();
  const page = await adminPage(t, product);
  await openScreen(page, product.origin, 'plugin-list');
  const dialog = page.getByRole('dialog');

  t.test('keeps the focus when the menu is gone', async () => {
    await inMenu('Delete')(page);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).waitFor();
    await page.locator('[role="menu"]').waitFor({ state: 'detached' });
    await waitForFrames(page);
    await expect(dialog.locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect(page.getByRole('button', { name: /^Actions for/ }).first()).toBeFocused();
  });

  t.test('can be closed while its choices load', async () => {
    const { promise: answer, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/manager/mark/list', (route) => answer.then(() => route.continue()));
    await inMenu('Set mark…')(page);
    const save = dialog.getByRole('button', { name: 'Save' });
    await expect(save).toHaveAttribute('aria-busy', 'true');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    release();
  });
});
