import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../support/until.ts';
import { adminPage } from './support/account.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { newPage, waitForHydration } from './support/page.ts';
import { sharedBackstage } from './support/product.ts';

/** Opens the full-size view of the first picture of the first plugin; returns its scrolling area. */
async function enlarge(page: Page, origin: string) {
  await page.goto(`${origin}/plugins/`);
  await page.goto(origin + (await page.locator('main article h3 a').first().getAttribute('href')));
  const button = page.getByRole('button', { name: 'View full size' });
  await waitForHydration(page);
  await button.click();
  return page.getByRole('dialog').getByRole('region', { name: /^Enlarged picture/ });
}

t.test('widgets on real pages', async (t) => {
  const product = await sharedBackstage();
  const { origin } = product;

  t.test('a slider zooms a picture, also by keyboard', async (t) => {
    const page = await newPage(t, { reducedMotion: 'reduce' });
    const field = await enlarge(page, origin);
    const zoom = page.getByRole('slider', { name: 'Zoom' });
    await zoom.focus();
    await expect(zoom).toHaveAttribute('aria-valuetext', '100%');
    const widest = () => field.evaluate((one) => one.scrollWidth / one.clientWidth);
    t.equal(await widest(), 1);
    for (let press = 0; press < 4; press += 1) await page.keyboard.press('ArrowRight');
    await expect(zoom).toHaveAttribute('aria-valuetext', '200%');
    t.equal(Math.round(await widest()), 2);
    const middle = () =>
      field.evaluate((one) => Math.round(((one.scrollLeft + one.clientWidth / 2) / one.scrollWidth) * 10));
    t.equal(await middle(), 5, 'its centre stays in the centre');
    await field.focus();
    const before = await field.evaluate((one) => one.scrollTop);
    // A zoom may still centre the picture, which undoes what a key has moved.
    await until(async () => {
      await page.keyboard.press('ArrowDown');
      return (await field.evaluate((one) => one.scrollTop)) > before;
    });
    t.strictSame((await new AxeBuilder({ page }).analyze()).violations, []);
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  t.test('a large picture is dragged by the mouse', async (t) => {
    const page = await newPage(t, { reducedMotion: 'reduce' });
    const field = await enlarge(page, origin);
    await page.getByRole('slider', { name: 'Zoom' }).focus();
    await page.keyboard.press('End');
    const box = await field.boundingBox();
    if (!box) throw new Error('The picture is not shown.');
    const before = await field.evaluate((one) => one.scrollLeft);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 - 120, box.y + box.height / 2, { steps: 6 });
    await page.mouse.up();
    t.equal(await field.evaluate((one) => one.scrollLeft), before + 120);
  });

  t.test('the full-size view fits a small phone', async (t) => {
    const page = await newPage(t, { viewport: { width: 320, height: 568 } });
    const field = await enlarge(page, origin);
    await field.waitFor();
    const { x, width, height } = (await page.getByRole('dialog').boundingBox()) ?? {
      x: 0,
      width: 0,
      height: 0,
    };
    t.strictSame([x, width], [16, 288]);
    t.ok(height <= 568 - 32);
  });

  t.test('a recommended plugin is moved to a typed place', async (t) => {
    const page = await adminPage(t, product, { reducedMotion: 'reduce' });
    await openScreen(page, origin, 'plugin-list');
    await page.getByRole('tab', { name: 'Recommended' }).click();
    const list = page.getByRole('list', { name: 'Recommended' });
    await list.waitFor();
    const order = () => list.getByRole('listitem').getByRole('link').allTextContents();
    const [first = '', ...others] = await order();
    const place = page.getByRole('button', { name: `choose another place for “${first}”` });
    await place.focus();
    await page.keyboard.press('Enter');
    const field = page.getByRole('dialog').getByRole('spinbutton', { name: 'Place' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'spinbutton');
    await expect(field).toHaveAttribute('aria-valuemax', String(others.length + 1));
    await page.keyboard.press('Enter');
    await page.getByText('It’s already there. Choose another place.').waitFor();
    t.strictSame((await new AxeBuilder({ page }).analyze()).violations, []);
    await field.fill('99');
    await page.keyboard.press('Enter');
    await expect(field, 'an invalid place is refused').toHaveValue('1');
    await field.fill('3');
    await page.keyboard.press('Enter');
    await page.getByText('The order is saved.').waitFor();
    t.strictSame(await order(), [...others.slice(0, 2), first, ...others.slice(2)]);
    await expect(place, 'the focus returns').toBeFocused();
    await page.getByRole('status').getByText(`“${first}” was dropped at place 3.`).waitFor();
  });
});
