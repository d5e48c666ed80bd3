import { cp } from 'node:fs/promises';
import { testDatabase } from '../../support/database.ts';
import { demoTemplate } from '../../support/demo-template.ts';
import { freePort } from '../../support/port.ts';
import { makeDataFolder, startProduct } from '../../support/product.ts';

type Test = { teardown(action: () => Promise<void>): void };

/**
 * Origin of a product with the demo catalogue: that of BASE_URL, or one started for this test with its own data folder,
 * stopped and removed afterwards. The catalogue is a copy of one that is made once in a run.
 */
export async function runningProduct(
  t: Test,
  settings: Record<string, string> = {},
  at: { port?: number } = {},
): Promise<string> {
  const given = process.env.BASE_URL;
  if (given !== undefined) return new URL(given).origin;
  const data = await makeDataFolder();
  t.teardown(data.remove);
  const product = await startProduct(
    data.dir,
    { ...(await copiedDemo(t, data.dir, settings)), ...settings },
    at,
  );
  t.teardown(product.stop);
  return product.origin;
}

/** The same with SITE_URL of the same origin: header and footer have all links, as paths. */
export async function productOfWiderSite(t: Test): Promise<string> {
  const port = await freePort();
  return runningProduct(t, { SITE_URL: `http://localhost:${port}` }, { port });
}

/** A test's own database is already a copy. */
async function copiedDemo(
  t: Test,
  dataDir: string,
  { DATABASE_URL: own }: Record<string, string>,
): Promise<Record<string, string>> {
  const demo = await demoTemplate();
  await cp(demo.files, dataDir, { recursive: true });
  if (own !== undefined) return {};
  const { url } = await testDatabase(t, { name: 'product', template: demo.database });
  return { DATABASE_URL: url, SEED: 'demo' };
}
