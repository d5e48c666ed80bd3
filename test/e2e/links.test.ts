import type { Page } from 'playwright-core';
import t from 'tap';
import { LANGUAGE_COOKIE_VALUES } from '../../shared/languages.ts';
import { ADMIN, addAccount, signInByCalls } from './support/account.ts';
import { expect } from './support/expect.ts';
import { hrefs, panel, shownWords, withHeader, word } from './support/header.ts';
import { newPage, openPage } from './support/page.ts';
import { ownDemo, steadyProduct } from './support/product.ts';

/** Every link address of header, menus and footer. */
async function allLinks(page: Page): Promise<string[]> {
  const found = await hrefs(page.locator('footer'));
  for (const name of (await shownWords(page)).flatMap((shown) => shown ?? [])) {
    if ((await word(page, name).count()) === 0) continue;
    await word(page, name).click();
    await panel(page, name).waitFor();
    found.push(...(await hrefs(panel(page, name))));
    await page.keyboard.press('Escape');
  }
  const account = page.locator('header button[aria-haspopup=menu]').last();
  if ((await page.locator('header a[href^="/api/auth/login"]').count()) === 0) {
    await account.click();
    await page.getByRole('menu').waitFor();
    found.push(...(await hrefs(page.getByRole('menu'))));
    await page.keyboard.press('Escape');
  }
  found.push(...(await hrefs(page.locator('header'))));
  await page.setViewportSize({ width: 375, height: 760 });
  await page.locator('header button[aria-haspopup=dialog]').last().click();
  const drawer = page.getByRole('dialog');
  await drawer.waitFor();
  found.push(...(await hrefs(drawer)));
  await page.keyboard.press('Escape');
  return [...new Set(found.flatMap((href) => href ?? []))].filter((href) => !href.startsWith('#'));
}

t.test('a standalone site has no broken link in header, footer and menus', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;
  const member = await addAccount(product);
  for (const [who, account] of [['signed out'], ['signed in', member], ['administrator', ADMIN]] as const) {
    for (const language of ['en-US', 'zh-CN'] as const) {
      const page = await newPage(t, { viewport: { width: 1440, height: 900 } });
      if (account) await signInByCalls(page, origin, account);
      const value = LANGUAGE_COOKIE_VALUES[language];
      await page.context().addCookies([{ name: 'lang', value, url: origin }]);
      await openPage(page, `${origin}/plugins/`);
      const links = await allLinks(page);
      const broken: string[] = [];
      for (const link of links) {
        const answer = await page.request.get(new URL(link, origin).href, {
          headers: { accept: 'text/html' },
        });
        if (answer.status() >= 400) broken.push(`${link} ${answer.status()}`);
      }
      t.strictSame(broken, [], `${who}, ${language}`);
      const paths = links.map((link) => new URL(link, origin).pathname);
      t.ok(
        paths.includes('/plugins/') && paths.includes('/help/'),
        `${who}, ${language}: ${paths.join(' ')}`,
      );
      t.equal(paths.includes('/plugins/backstage-index/audit-list'), who === 'administrator', who);
    }
  }
});

t.test('a private standalone site has links instead of menus, and no sign-up', async (t) => {
  const { origin } = await ownDemo(t, { DEPLOY_TYPE: 'pri' });
  const page = await withHeader(t, origin);
  t.strictSame(await hrefs(page.locator('header nav')), ['/plugins/', '/help/', '/plugins/publishing']);
  await expect(page.locator('header nav button')).toHaveCount(0);
  await expect(page.locator('header a[href*="page=sign_up"]'), 'sign-up is closed').toHaveCount(0);
  await expect(page.getByText('Start for free')).toHaveCount(0);
  await expect(page.locator('header a[href^="/api/auth/login"]').first()).toHaveText('Sign in', {
    useInnerText: true,
  });

  const admin = await newPage(t);
  await signInByCalls(admin, origin, ADMIN);
  await openPage(admin, `${origin}/plugins/backstage-index/community`);
  await admin.getByText('its header has no community menu').waitFor();
  await openPage(admin, `${origin}/plugins/backstage-index/banner-config`);
  await admin.getByRole('button', { name: 'Add a banner' }).click();
  const tabs = admin.getByRole('dialog').getByRole('tab');
  await expect(tabs).toHaveCount(2);
  await admin.keyboard.press('Escape');
  await openPage(admin, `${origin}/plugins/backstage-index/tags`);
  await admin.getByRole('button', { name: 'Add a tag' }).click();
  // A name and an introduction in each language.
  await expect(admin.getByRole('dialog').getByRole('group').getByRole('textbox')).toHaveCount(4);
  await admin.keyboard.press('Escape');

  await openPage(admin, `${origin}/plugins/backstage-index/members`);
  await admin.getByRole('button', { name: 'Invite a member' }).click();
  await admin.getByLabel('Name', { exact: true }).fill('Grace');
  await admin.getByLabel('Email', { exact: true }).fill('grace@example.org');
  await admin.getByLabel('Password of your account here').fill(ADMIN.password);
  await admin.getByRole('button', { name: 'Create invitation' }).click();
  const link = (await admin.locator('code').textContent()) ?? '';
  await openPage(page, link);
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
});
