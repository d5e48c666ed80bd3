import { testDatabase } from '../../support/database.ts';
import { makeDataFolder, startProduct } from '../../support/product.ts';
import type { Account } from './account.ts';
import { type Reviewer, reviewerOf } from './reviewer.ts';

type Test = { teardown(action: () => Promise<void>): void };

export const ADMIN: Account = {
  email: 'admin@example.com',
  name: 'Admin',
  password: 'a horse, a battery, 42',
};

/** A product of a test's own with an administrator, and somebody who reviews what is handed in. */
export async function ownProduct(
  t: Test,
  settings: Record<string, string> = {},
): Promise<{ origin: string; reviewer: Reviewer }> {
  const { url } = await testDatabase(t, { name: 'product' });
  const data = await makeDataFolder();
  t.teardown(data.remove);
  const product = await startProduct(data.dir, {
    DATABASE_URL: url,
    SEED: 'none',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ...settings,
  });
  t.teardown(product.stop);
  return { origin: product.origin, reviewer: reviewerOf(t, url) };
}
