import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { ROLE_ADMIN } from '../../shared/constants.ts';
import { addAccount, newAccount, signedInPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { sharedEmptySite } from './support/product.ts';
import { jsonFile, packageFile, pluginPackage } from './support/publish-files.ts';

const row = (page: Page, text: string) => page.locator('tbody').filter({ hasText: text });
const submitButton = (page: Page) => page.getByRole('button', { name: /^(Submit|Nothing)/ });
const file = (name: string) => jsonFile(`${name}.json`, pluginPackage(name));

const MATCHES = '**/manager/plugins/match**';
const DRY_RUNS = /plugins\/upload.*dry_run=1/;

t.test('unchecked rows are marked', async (t) => {
  const product = await sharedEmptySite();
  const account = await addAccount(product, newAccount('Importer'), { role: ROLE_ADMIN });
  const open = (t: Test, expected: RegExp) =>
    signedInPage(t, product, account, { path: '/plugins/publish-plugin/batch', expected });

  t.test('a rate limit shows the waiting time, and the check can be repeated', async (t) => {
    const page = await open(t, /status of 429/);
    await page.clock.setFixedTime(new Date('2026-03-01T12:00:00'));
    const json = { code: 'TOO_MANY_REQUESTS', message: 'Too many', data: null };
    let dryRuns = 0;
    await page.route(DRY_RUNS, (route) => {
      dryRuns += 1;
      return route.fulfill({ status: 429, headers: { 'retry-after': '300' }, json });
    });
    const many = Array.from({ length: 12 }, (_, place) => file(`Limit ${place}`));
    await page.getByLabel('Package files').setInputFiles(many);
    const limited = row(page, 'Limit 0.json');
    await limited.getByText('Not checked').waitFor();
    await expect(limited).toContainText(/Too many checks at once\. Try again at 12:05/);
    await row(page, 'Limit 11.json').getByText('Not checked').waitFor();
    t.equal(dryRuns, 1, 'the other rows are not sent into the same limit');
    await expect(page.getByText('Ready', { exact: true })).toHaveCount(0);
    await expect(page.locator('main')).toContainText(/12 not checked/);
    await expect(submitButton(page), 'it can be submitted nevertheless').toBeEnabled();
    await page.unroute(DRY_RUNS);
    await limited.getByRole('button', { name: 'Check again: Limit 0' }).focus();
    await page.keyboard.press('Enter');
    await limited.getByText('Ready', { exact: true }).waitFor();
    await row(page, 'Limit 11.json').getByText('Ready', { exact: true }).waitFor();
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    t.equal(focused, 'Edit the details of Limit 0', 'the focus is kept');
  });

  t.test('without a connection it can be submitted, and the answer is shown', async (t) => {
    const page = await open(t, /ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
    await page.route(DRY_RUNS, (route) => route.abort());
    await page.getByLabel('Package files').setInputFiles([file('Offline')]);
    const offline = row(page, 'Offline.json');
    await offline.getByText('Not checked').waitFor();
    await expect(offline).toContainText(/Network error/);
    await submitButton(page).click();
    await page.getByText('1 package submitted. It’s waiting for review.').waitFor();
  });

  t.test('a failed lookup of the matching plugin can be repeated', async (t) => {
    const page = await open(t, /status of 503/);
    const json = { code: 'UNAVAILABLE', message: 'away', data: null };
    await page.route(MATCHES, (route) => route.fulfill({ status: 503, json }));
    await page.getByLabel('Package files').setInputFiles([file('Away')]);
    const away = row(page, 'Away.json');
    await away.getByText('Not checked').waitFor();
    await expect(away).toContainText(/The service isn’t available right now/);
    await page.unroute(MATCHES);
    await away.getByRole('button', { name: 'Check again: Away' }).click();
    await away.getByText('Ready', { exact: true }).waitFor();
  });

  t.test('without dry runs only the check of the page counts, without requests', async (t) => {
    const page = await open(t, /status of 404/);
    let dryRuns = 0;
    await page.route(MATCHES, (route) =>
      route.fulfill({ status: 404, json: { code: 404, message: 'Not found', data: null } }),
    );
    await page.route(DRY_RUNS, (route) => {
      dryRuns += 1;
      return route.abort();
    });
    const bare = packageFile({ version: '1.0.0' }, 'bare.json');
    await page.getByLabel('Package files').setInputFiles([file('Complete'), bare]);
    const complete = row(page, 'Complete.json');
    await complete.getByText('Complete. Checked on submission.').waitFor();
    await expect(complete.getByText('Not checked')).toHaveCount(0);
    await row(page, 'bare.json').getByText('4 things are missing').waitFor();
    await expect(submitButton(page)).toHaveText('Submit 1 package', { useInnerText: true });
    t.equal(dryRuns, 0);
  });
});
