import t from 'tap';
import { axeFindings } from './access/check-screen.ts';
import { expect } from './support/expect.ts';
import { newPage, openPage } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

t.test('filters of a list', async (t) => {
  const { origin } = await steadyProduct();
  const page = await newPage(t);
  const results = page.locator('section[aria-labelledby=results]');
  const button = results.getByRole('button', { name: /^Filters/ });
  const panel = results.getByRole('region', { name: 'Filters' });
  const active = results.getByRole('list', { name: 'Filters in use' });
  const japanese = /^日本語/;

  t.test(
    'are chosen one after another, are in the address, and the back button takes the last away',
    async (t) => {
      await openPage(page, `${origin}/plugins/?keyword=color`);
      await button.focus();
      await page.keyboard.press('Enter');
      await panel.getByRole('heading', { name: 'Language' }).waitFor();
      t.strictSame(await axeFindings(page), []);
      await panel.getByRole('link', { name: japanese }).click();
      await page.waitForURL(`${origin}/plugins/?keyword=color&text_lang=ja-JP`);
      await active.getByRole('link', { name: 'Remove filter: 日本語' }).waitFor();
      await results.getByRole('link', { name: 'Latest' }).click();
      await page.waitForURL(`${origin}/plugins/?keyword=color&text_lang=ja-JP&sort=0`);
      await results.getByRole('link', { name: 'Relevance' }).click();
      await page.waitForURL(`${origin}/plugins/?keyword=color&text_lang=ja-JP`);
      await active.getByRole('link', { name: 'Clear all' }).click();
      await page.waitForURL(`${origin}/plugins/?keyword=color`);
      await expect(active).toHaveCount(0);
      await page.goBack();
      await active.getByRole('link', { name: 'Remove filter: 日本語' }).click();
      await page.waitForURL(`${origin}/plugins/?keyword=color`);
    },
  );

  t.test('that leave nothing stay inside a small window, however long their names', async (t) => {
    const small = await newPage(t, { locale: 'ru-RU', viewport: { width: 375, height: 740 } });
    await openPage(small, `${origin}/plugins/?tags=1,2&updated=week&reach=nothing`);
    await small.getByRole('link', { name: 'Без «Иконки + Контент и заливка»' }).waitFor();
    const outside = await small
      .locator('section[aria-labelledby=results]')
      .evaluate((section) =>
        [...section.querySelectorAll('[role=status] > *, li > a')]
          .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth)
          .map(({ textContent }) => textContent),
      );
    t.strictSame(outside, []);
  });

  t.test('that leave nothing can be cleared there', async (t) => {
    await openPage(page, `${origin}/plugins/?text_lang=en-US&tags=999999`);
    await results.getByText('No plugins match all filters').waitFor();
    t.strictSame(await axeFindings(page), []);
    await results.getByRole('link', { name: 'Clear all' }).last().click();
    await page.waitForURL(`${origin}/plugins/`);
    await results.getByRole('article').first().waitFor();
  });

  t.test('are a dialog on a phone', async (t) => {
    await page.setViewportSize({ width: 375, height: 740 });
    await openPage(page, `${origin}/plugins/?sort=1`);
    await button.click();
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    await dialog.getByRole('link', { name: japanese }).click();
    await page.waitForURL(`${origin}/plugins/?text_lang=ja-JP&sort=1`);
    await expect(dialog.getByRole('link', { name: japanese })).toHaveAttribute('aria-current', 'true');
    t.strictSame(await axeFindings(page), []);
    await dialog.getByRole('button', { name: /plugins?$/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await active.getByRole('link', { name: 'Remove filter: 日本語' }).waitFor();
  });
});
