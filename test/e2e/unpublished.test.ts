import t from 'tap';
import { newAccount, openSignedIn, openSignedUp } from './support/account.ts';
import { packageAsking, publish, send } from './support/api.ts';
import { openBrowser } from './support/browser.ts';
import { ADMIN, ownProduct } from './support/own-product.ts';
import { openPage, watchedPage } from './support/page.ts';

t.test('rejected and hidden plugins are marked for their owner and administrators', async (t) => {
  const { origin } = await ownProduct(t, { PUBLISHERS: 'members' });
  const browser = await openBrowser(t);
  const { page, complaints } = await watchedPage(browser, {});
  await openSignedUp(page, origin, newAccount('Maker'));
  const asks = { allowedDomains: ['https://api.example.com'] };
  const rejected = await publish(page, packageAsking('Sun Dial', '1.0.0', asks));
  const hidden = await publish(page, packageAsking('Water Clock', '1.0.0', asks));
  const admin = await watchedPage(browser, {});
  await openSignedIn(admin.page, origin, ADMIN);
  for (const [method, path, body] of [
    ['POST', 'plugin/audit/status', { plugin_key: rejected, audit_status: 3, reason: 'Too plain.' }],
    ['POST', 'plugin/audit/status', { plugin_key: hidden, audit_status: 2 }],
    ['PUT', 'manager/plugin/hidden', { plugin_key: hidden, is_hidden: true }],
  ] as const) {
    await send(admin.page, method, path, body);
  }

  for (const [who, seer, isOwn] of [
    ['owner', page, true],
    ['administrator', admin.page, false],
  ] as const) {
    await t.test(who, async (t) => {
      await openPage(seer, `${origin}/plugins/plugin/${rejected}`);
      await seer.getByRole('heading', { name: 'Rejected', exact: true }).waitFor();
      await seer.getByRole('heading', { name: 'Can access 1 domain' }).waitFor();
      t.equal(await seer.getByText('No network access').count(), 0);
      t.equal(await seer.getByRole('button', { name: 'Like Sun Dial' }).count(), 0);
      t.equal(await seer.getByRole('button', { name: 'Install to try: Sun Dial' }).count(), isOwn ? 1 : 0);

      await openPage(seer, `${origin}/plugins/plugin/${hidden}`);
      await seer.getByRole('heading', { name: 'Hidden', exact: true }).waitFor();
      await seer.getByRole('heading', { name: 'Can access 1 domain' }).waitFor();
      t.equal(
        await seer.getByRole('button', { name: /^(Install|Like) / }).count(),
        0,
        'it cannot be installed',
      );
    });
  }
  await t.test('other users see neither', async (t) => {
    for (const key of [rejected, hidden]) {
      const headers = { 'x-requested-with': 'plugin-square' };
      const answer = await fetch(`${origin}/api/cmt/plugin?plugin_key=${key}`, { headers });
      t.equal(answer.status, 404, key);
    }
  });
  t.strictSame([...complaints, ...admin.complaints], []);
});
