import type { Page } from 'playwright-core';
import t from 'tap';
import { newAccount, signIn, signUp } from './support/account.ts';
import { openBrowser } from './support/browser.ts';
import { ADMIN, ownProduct } from './support/own-product.ts';
import { hydrated, watchedPage } from './support/page.ts';
import { packageAsking, publish } from './support/publish-call.ts';

const open = async (page: Page, address: string): Promise<void> => {
  await page.goto(address);
  await hydrated(page);
};

t.test('what was rejected or hidden says so to its owner and to administrators', async (t) => {
  const { origin } = await ownProduct(t, { PUBLISHERS: 'members' });
  const browser = await openBrowser(t);
  const { page, complaints } = await watchedPage(browser, {});
  await open(page, `${origin}/plugins/`);
  await signUp(page, newAccount('Maker'));
  const asks = { allowedDomains: ['https://api.example.com'] };
  const rejected = await publish(page, packageAsking('Sun Dial', '1.0.0', asks));
  const hidden = await publish(page, packageAsking('Water Clock', '1.0.0', asks));
  const admin = await watchedPage(browser, {});
  await open(admin.page, `${origin}/plugins/`);
  await signIn(admin.page, ADMIN);
  const decide = (method: string, path: string, body: object): Promise<number> =>
    admin.page.evaluate(
      async ({ method, path, body }) => {
        const headers = { 'x-requested-with': 'plugin-square', 'content-type': 'application/json' };
        return (await fetch(`/api/cmt/${path}`, { method, headers, body: JSON.stringify(body) })).status;
      },
      { method, path, body },
    );
  for (const [method, path, body] of [
    ['POST', 'plugin/audit/status', { plugin_key: rejected, audit_status: 3, reason: 'Too plain.' }],
    ['POST', 'plugin/audit/status', { plugin_key: hidden, audit_status: 2 }],
    ['PUT', 'manager/plugin/hidden', { plugin_key: hidden, is_hidden: true }],
  ] as const) {
    t.equal(await decide(method, path, body), 200, path);
  }

  for (const [who, seer, isOwn] of [
    ['owner', page, true],
    ['administrator', admin.page, false],
  ] as const) {
    await t.test(who, async (t) => {
      await open(seer, `${origin}/plugins/plugin/${rejected}`);
      await seer.getByRole('heading', { name: 'Rejected', exact: true }).waitFor();
      await seer.getByRole('heading', { name: 'Can access 1 domain' }).waitFor();
      t.equal(await seer.getByText('No network access').count(), 0);
      t.equal(await seer.getByRole('button', { name: 'Like Sun Dial' }).count(), 0);
      t.equal(await seer.getByRole('button', { name: 'Install to try: Sun Dial' }).count(), isOwn ? 1 : 0);

      await open(seer, `${origin}/plugins/plugin/${hidden}`);
      await seer.getByRole('heading', { name: 'Hidden', exact: true }).waitFor();
      await seer.getByRole('heading', { name: 'Can access 1 domain' }).waitFor();
      t.equal(await seer.getByRole('button', { name: /^(Install|Like) / }).count(), 0, 'nobody installs it');
    });
  }
  await t.test('others see nothing of either', async (t) => {
    for (const key of [rejected, hidden]) {
      const headers = { 'x-requested-with': 'plugin-square' };
      const answer = await fetch(`${origin}/api/cmt/plugin?plugin_key=${key}`, { headers });
      t.equal(answer.status, 404, key);
    }
  });
  t.strictSame([...complaints, ...admin.complaints], []);
});
