import t from 'tap';
import { adminPage, memberPage } from './support/account.ts';
import { decide, packageAsking, publish, send } from './support/api.ts';
import { expect } from './support/expect.ts';
import { openPage } from './support/page.ts';
import { sharedProduct } from './support/product.ts';

t.test('rejected and hidden plugins are marked for their owner and administrators', async (t) => {
  const product = await sharedProduct();
  const { origin } = product;
  const page = await memberPage(t, product, 'Maker');
  const asks = { allowedDomains: ['https://api.example.com'] };
  const rejected = await publish(page, packageAsking('Sun Dial', '1.0.0', asks));
  const hidden = await publish(page, packageAsking('Water Clock', '1.0.0', asks));
  const admin = await adminPage(t, product);
  await decide(admin, rejected, { audit_status: 3, reason: 'Too plain.' });
  await decide(admin, hidden, { audit_status: 2 });
  await send(admin, 'PUT', 'manager/plugin/hidden', { plugin_key: hidden, is_hidden: true });

  for (const [who, seer, isOwn] of [
    ['owner', page, true],
    ['administrator', admin, false],
  ] as const) {
    await t.test(who, async () => {
      await openPage(seer, `${origin}/plugins/plugin/${rejected}`);
      await seer.getByRole('heading', { name: 'Rejected', exact: true }).waitFor();
      await seer.getByRole('heading', { name: 'Can access 1 domain' }).waitFor();
      await expect(seer.getByText('No network access')).toHaveCount(0);
      await expect(seer.getByRole('button', { name: 'Like Sun Dial' })).toHaveCount(0);
      await expect(seer.getByRole('button', { name: 'Test install: Sun Dial' })).toHaveCount(isOwn ? 1 : 0);

      await openPage(seer, `${origin}/plugins/plugin/${hidden}`);
      await seer.getByRole('heading', { name: 'Hidden', exact: true }).waitFor();
      await seer.getByRole('heading', { name: 'Can access 1 domain' }).waitFor();
      await expect(
        seer.getByRole('button', { name: /^(Install|Like) Water Clock/ }),
        'it cannot be installed',
      ).toHaveCount(0);
    });
  }
});
