import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import t from 'tap';
import { freePort, portOf } from '../support/port.ts';
import { until } from '../support/until.ts';
import { addAccount, signIn } from './support/account.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage } from './support/page.ts';
import { ownDemo } from './support/product.ts';

/** Product and attacker share one site; browsers resolve names below localhost themselves. */
const HOST = 'plugins.site.localhost';
const SIBLING = 'evil.site.localhost';
const START = '/api/auth/login?return_to=%2Fplugins%2F&force=1';
const FORCED = '/plugins/?force=1';

/** A page of the attacker that embeds the start of a sign-in in every way, and links to it. */
async function siblingPage(
  t: { teardown(action: () => Promise<void>): void },
  { start, forced }: { start: string; forced: string },
): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url !== '/') return response.writeHead(404).end();
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>sibling</title>
      <link rel="stylesheet" href="${start}&by=style"><img src="${start}&by=img"><script src="${start}&by=script"></script>
      <iframe src="${start}&by=iframe"></iframe><embed src="${start}&by=embed"><object data="${start}&by=object"></object>
      <script>void fetch('${start}&by=fetch', { mode: 'no-cors', credentials: 'include' }).catch(() => undefined)</script>
      <img src="${forced}&by=img"><iframe src="${forced}&by=frame"></iframe>
      <a href="${start}&by=link">Sign in</a> <a href="${forced}">Go to the site</a>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${SIBLING}:${portOf(server)}/`;
}

/**
 * Status of each start of a sign-in by its source, also where the page cannot read the answer. Waits for the
 * answer: the browser reports answers and requests in any order.
 */
async function startsOf(page: Page): Promise<(by: string) => Promise<number>> {
  const requestIds = new Map<string, string>();
  const statuses = new Map<string, number>();
  const tools = await page.context().newCDPSession(page);
  tools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const url = new URL(request.url);
    if (url.pathname === '/api/auth/login') requestIds.set(url.searchParams.get('by') ?? '', requestId);
  });
  tools.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    if (!statuses.has(requestId)) statuses.set(requestId, statusCode);
  });
  await tools.send('Network.enable');
  return (by) => until(() => statuses.get(requestIds.get(by) ?? ''));
}

t.test('embedding on a sibling host ends no session; a link from there starts a sign-in', async (t) => {
  const port = await freePort();
  const origin = `http://${HOST}:${port}`;
  const product = await ownDemo(t, { PUBLIC_URL: origin }, { port });
  const sibling = await siblingPage(t, { start: origin + START, forced: origin + FORCED });
  const account = await addAccount(product);
  const page = await newPage(t, { expected: /403|404|Refused|frame|ERR_/ });
  // By pages: only the browser resolves the name.
  await openPage(page, `${origin}/plugins/`);
  await signIn(page, account);
  const menu = page.getByRole('button', { name: `${account.name}’s account menu` });
  await menu.waitFor();

  const starts = await startsOf(page);
  await page.goto(sibling, { waitUntil: 'networkidle' });
  const embedded = ['style', 'img', 'script', 'iframe', 'embed', 'object', 'fetch'];
  for (const by of embedded) t.equal(await starts(by), 403, by);
  await page.goto(`${origin}/plugins/`);
  await menu.waitFor();

  await page.goto(sibling, { waitUntil: 'load' });
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.locator('input[name=account]').waitFor();
  t.equal(await starts('link'), 302);
  t.match(page.url(), `${origin}/user/login?`);
  await page.goto(`${origin}/plugins/`);
  await menu.waitFor();
  await expect(menu, 'still signed in').toBeVisible();

  await page.goto(sibling, { waitUntil: 'load' });
  await page.getByRole('link', { name: 'Go to the site' }).click();
  await page.locator('input[name=account]').waitFor();
  t.match(page.url(), `${origin}/user/login?`);
  await page.goto(`${origin}/plugins/`);
  await menu.waitFor();
  await expect(menu, 'still signed in after the force flag').toBeVisible();
});
