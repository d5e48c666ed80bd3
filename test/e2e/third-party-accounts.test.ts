import t from 'tap';
import { serviceCalls } from '../../shared/routes/settings.ts';
import { freePort } from '../support/port.ts';
import { type StubHandler, startStub, stubAnswer } from '../support/stub-upstream.ts';
import { adminPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { waitForHydration } from './support/page.ts';
import { ownProduct } from './support/product.ts';

const SERVICE_TOKEN = 'canary-service-0123456789-0123456789-01';
const SECRET = 'canary-secret-0123456789';

t.test('accounts at third parties', async (t) => {
  const vendor = await startStub(t);
  const { host } = new URL(vendor.url);
  const servicePort = await freePort();
  const product = await ownProduct(t, {
    SERVICE_TOKENS: `design-tool:${SERVICE_TOKEN}`,
    SERVICE_PORT: String(servicePort),
    STOCK_PHOTO_URL: `${vendor.url}/v1`,
  });
  const { origin } = product;
  const page = await adminPage(t, product);
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/config/pexels')) bodies.push(response.text().catch(() => ''));
  });
  const test = page.getByRole('button', { name: 'Test connection' });
  const result = page.getByRole('region', { name: 'Connection' }).getByRole('status');

  t.test('the reason is shown if a connection cannot be tested', async () => {
    await page.goto(`${origin}/plugins/backstage-index/iconfont`);
    await page
      .getByText('To test the connection from here, set ICON_FONT_TOKEN_URL on the server.')
      .waitFor();
    await expect(test).toHaveCount(0);
    await page.goto(`${origin}/plugins/backstage-index/pexels`);
    await page.getByText('Save an account first to test it.').waitFor();
    await expect(test).toBeDisabled();
  });

  t.test('an administrator saves a key and tests it at the vendor', async (t) => {
    await waitForHydration(page);
    await page.getByLabel('API key', { exact: true }).fill(SECRET);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Save Successfully').waitFor();
    await page
      .getByText(`The test asks ${host} for one photo with the saved key.`, { exact: false })
      .waitFor();
    await page.getByText('Servers that hold a service token can read this account').waitFor();
    const cases: [StubHandler, string][] = [
      [() => stubAnswer(200, { photos: [] }), `${host} accepted the account.`],
      [() => stubAnswer(401, SECRET), `${host} refused the account (status 401).`],
      [() => stubAnswer(403, SECRET), `${host} refused the account (status 403).`],
      [() => stubAnswer(429, {}), `${host} isn’t taking more requests right now (status 429)`],
      [() => stubAnswer(500, SECRET), `${host} responded with an error (status 500).`],
      [
        () => stubAnswer(302, '', { location: `${origin}/plugins/` }),
        `${host} redirected the request elsewhere (status 302)`,
      ],
      [() => stubAnswer(200, `<p>${SECRET}`), `${host} responded with something other than expected.`],
      [() => stubAnswer(200, { photos: ['x'.repeat(2 ** 20)] }), `${host} responded with far more data`],
      [() => undefined, `${host} didn’t respond in time.`],
      [(_seen, response) => void response.destroy(), `Couldn’t connect to ${host}.`],
    ];
    for (const [handler, text] of cases) {
      vendor.on('GET /v1/curated', handler);
      await test.focus();
      await page.keyboard.press('Enter');
      await result.getByText(text, { exact: false }).waitFor();
      t.pass(text);
    }
    t.equal(vendor.seen('GET /v1/curated').at(-1)?.headers.authorization, SECRET);
    t.notMatch((await Promise.all(bodies)).join('\n'), 'canary');
  });

  t.test('a new key clears the last result', async (t) => {
    await page.getByLabel('API key', { exact: true }).fill(`${SECRET}-2`);
    const saved = page.waitForResponse(
      (response) => response.url().endsWith('/config/pexels') && response.request().method() === 'POST',
    );
    await page.getByRole('button', { name: 'Save' }).click();
    t.equal((await saved).status(), 200);
    await result.getByText('Couldn’t connect').waitFor({ state: 'detached' });
    await expect(result).toHaveText('', { useInnerText: true });
  });

  t.test('services without connection tests are supported', async (t) => {
    const other = await adminPage(t, product, { expected: /status of 404/ });
    const view: Record<string, unknown> = { api_key_masked: '••••••••' };
    const answer = (status: number, body: unknown) => ({ status, json: body });
    await other.route('**/api/cmt/srv/config/pexels', (route) =>
      route.fulfill(answer(200, { code: 0, message: 'ok', data: view })),
    );
    await other.route('**/api/cmt/srv/config/pexels/test', (route) =>
      route.fulfill(answer(404, { code: 'NOT_FOUND', message: 'Nothing was found here.' })),
    );
    await other.goto(`${origin}/plugins/backstage-index/pexels`);
    await other.getByText('Saved:', { exact: false }).waitFor();
    await expect(other.getByRole('heading', { name: 'Connection' })).toHaveCount(0);
    view.test_host = 'photos.example';
    await other.reload();
    await other.getByRole('button', { name: 'Test connection' }).click();
    await other.getByRole('region', { name: 'Connection' }).getByRole('status').locator('p').waitFor();
    await expect(other.getByText('service token')).toHaveCount(0);
  });

  t.test('the design tool’s server reads it only on the service port', async (t) => {
    const { path } = serviceCalls.readStockPhotoAccount;
    const headers = { authorization: `Bearer ${SERVICE_TOKEN}`, 'x-requested-with': 'plugin-square' };
    const read = await fetch(`http://127.0.0.1:${servicePort}${path}`, { headers });
    t.hasStrict(await read.json(), { code: 0, data: { account: { api_key: `${SECRET}-2` } } });
    const wrong = await fetch(`http://127.0.0.1:${servicePort}${path}`);
    t.equal(wrong.status, 401);
    for (const gateway of [path, `/api/cmt${path}`]) {
      t.equal((await fetch(origin + gateway, { headers })).status, 404, gateway);
    }
  });
});
