import { makeDataFolder, startProduct } from '../../support/product.ts';

type Test = { teardown(action: () => Promise<void>): unknown };

/**
 * Origin of a running product: the one of BASE_URL, else one started for this test with a data folder of its own,
 * stopped and removed after the test.
 */
export async function runningProduct(t: Test, settings: Record<string, string> = {}): Promise<string> {
  const given = process.env.BASE_URL;
  if (given !== undefined) return new URL(given).origin;
  const data = await makeDataFolder();
  t.teardown(data.remove);
  const product = await startProduct(data.dir, settings);
  t.teardown(product.stop);
  return product.origin;
}
