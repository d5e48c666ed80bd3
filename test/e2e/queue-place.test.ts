import type { Page } from 'playwright-core';
import t from 'tap';
import { memberPage } from './support/account.ts';
import { publish } from './support/api.ts';
import { expect } from './support/expect.ts';
import { openPage, waitForHydration } from './support/page.ts';
import { ownProduct } from './support/product.ts';
import { pluginPackage } from './support/publish-files.ts';
import { publishByForm } from './support/publish-form.ts';

const MY_PLUGINS = '/plugins/my-plugins';
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

t.test('a publisher sees the queue place and the usual time', async (t) => {
  const product = await ownProduct(t);
  const { origin, reviewer, pool } = product;
  const page = await memberPage(t, product);
  await page.setViewportSize({ width: 375, height: 812 });

  const first = await publishByForm(page, origin, 'First in line');
  await page.getByText('It’s next in line for review.').waitFor();
  await expect(page.getByText(/^Reviews usually take/), 'no decision yet').toHaveCount(0);
  await publishByForm(page, origin, 'Second in line');
  await page.getByText('1 submission is ahead of it in the review queue.').waitFor();

  await openPage(page, `${origin}${MY_PLUGINS}`);
  await card(page, 'First in line').getByText('It’s next in line for review.').waitFor();
  const second = card(page, 'Second in line');
  await second.getByText('1 submission is ahead of it in the review queue.').waitFor();
  await second.getByText(/^You’ll see the result in My plugins/).waitFor();

  await openPage(page, `${origin}${MY_PLUGINS}/${first}/versions`);
  await page.getByText('It’s next in line for review.').waitFor();

  await reviewer.pass(first);
  for (const name of ['Past two', 'Past three', 'Past four', 'Past five']) {
    await reviewer.pass(await publish(page, pluginPackage(name)));
  }
  await openPage(page, `${origin}${MY_PLUGINS}`);
  await second.getByText('It’s next in line for review.').waitFor();
  await second.getByText('Reviews usually take up to 2 hours.').waitFor();
  await expect(card(page, 'First in line').getByText(/in line for review/)).toHaveCount(0);
  await expect(page.getByText(/longer than usual/)).toHaveCount(0);

  await pool.query(
    `update community.submission set created_at = now() - interval '5 days' where audit_status = 1`,
  );
  await page.reload();
  await waitForHydration(page);
  await second
    .getByText('It’s been waiting longer than usual. There’s nothing you need to do.', { exact: true })
    .waitFor();
  await pool.query(
    `with somebody as (
      insert into community.person (user_id, nick_name, avatar_url, role, told_at)
        values (99999, 'Somebody', '', 0, now())
    ), many as (
      insert into community.plugin (plugin_key, publisher_id, default_lang, audit_status)
        select 'before-' || n, 99999, 'en-US', 1 from generate_series(1, 1001) n returning id
    ), versions as (
      insert into community.plugin_version (plugin_id, version, audit_status)
        select id, '1.0.0', 1 from many returning id, plugin_id
    )
    insert into community.submission
        (plugin_id, plugin_version_id, brings_version, is_first, listing, created_by, created_at)
      select plugin_id, id, true, true, '{}', 99999, now() - interval '9 days' from versions`,
  );
  await page.reload();
  await waitForHydration(page);
  await second
    .getByText('More than 1,000 submissions are ahead of it in the review queue.', { exact: true })
    .waitFor();
  const surface = await second
    .getByText(/^More than 1,000/)
    .evaluate((place) => place.parentElement && getComputedStyle(place.parentElement).backgroundColor);
  t.not(surface, 'rgba(0, 0, 0, 0)', 'the note has its own background');
  t.equal(
    await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth),
    false,
    'the page does not scroll horizontally',
  );
});
