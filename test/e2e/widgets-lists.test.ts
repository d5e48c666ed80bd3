import t from 'tap';
import { DROPDOWN_MARGIN, FOCUS_DELAY, INFINITE_SCROLL } from '../../shared/constants.ts';
import { expect } from './support/expect.ts';
import { boxOf, layerViolations, openPart, stopClock, styleOf } from './support/gallery/open-part.ts';
import { serveGallery } from './support/gallery/serve.ts';

t.test('lists', async (t) => {
  const origin = await serveGallery(t);

  t.test('dropdowns leave 32 px of the window height', async (t) => {
    const height = 400;
    const page = await openPart(t, origin, 'dropdown', {
      viewport: { width: 900, height },
    });
    const limit = height - DROPDOWN_MARGIN;
    await page.getByRole('button', { name: 'Menu' }).click();
    const menu = page.getByRole('menu');
    await menu.waitFor();
    t.ok((await boxOf(menu)).height <= limit);
    const roomBelow = Number.parseFloat(await styleOf(menu, '--available-height'));
    t.equal(
      Number.parseFloat(await styleOf(menu, 'max-height')).toFixed(1),
      Math.min(roomBelow, limit).toFixed(1),
    );
    // The menu takes the focus a frame after it is shown.
    await page.waitForFunction(() => document.activeElement?.closest('[role=menu]'));
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByText('chosen Choice 100', { exact: true }).waitFor();

    await page.getByRole('combobox', { name: 'Select' }).click();
    const list = page.getByRole('listbox');
    await list.waitFor();
    t.ok((await boxOf(list)).height <= limit);
    t.strictSame(await layerViolations(page), []);
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByText('chosen Choice 1', { exact: true }).waitFor();
  });

  t.test('a new field gets the focus after 100 ms', async (t) => {
    const page = await openPart(t, origin, 'focus');
    await stopClock(page);
    await page.getByRole('button', { name: 'Show' }).click();
    const field = page.getByLabel('Name');
    const isFocused = () => field.evaluate((element) => element === document.activeElement);
    await page.clock.runFor(FOCUS_DELAY - 1);
    t.notOk(await isFocused());
    await page.clock.runFor(1);
    t.ok(await isFocused());
  });

  t.test('a list loads more every 200 ms while its end is visible', async (t) => {
    const viewport = { width: 900, height: 600 };
    const page = await openPart(t, origin, 'scroll', { viewport });
    const lines = page.getByRole('listitem');
    const end = page.locator('ol + div');
    await end.evaluate(
      (element) =>
        new Promise<void>((resolve) => {
          new IntersectionObserver((entries) => {
            if (!entries.at(-1)?.isIntersecting) resolve();
          }).observe(element);
        }),
    );
    const full = await lines.count();
    // Three intervals in which nothing may be loaded.
    const later = (await page.evaluate(() => performance.now())) + INFINITE_SCROLL.delay * 3;
    await page.waitForFunction((time) => performance.now() > time, later);
    await expect(lines, 'nothing is loaded while its end is not visible').toHaveCount(full);
    await page.mouse.move(400, 300);
    for (const place of [full, full + 1]) {
      await page.mouse.wheel(0, 10_000);
      await lines.nth(place).waitFor();
    }
    const loadTimes = await lines.evaluateAll((all) =>
      all.map((line) => Number(line.getAttribute('data-asked'))),
    );
    const gaps = loadTimes.slice(2).map((time, place) => time - (loadTimes[place + 1] ?? 0));
    t.ok(gaps.length > 3);
    t.ok(
      gaps.every((gap) => gap >= INFINITE_SCROLL.delay - 1),
      `never sooner than every 200 ms: ${gaps.map(Math.round)}`,
    );
  });

  t.test('what has the focus after a list is not pushed out of view by it', async (t) => {
    const page = await openPart(t, origin, 'scroll', { viewport: { width: 900, height: 600 } });
    const lines = page.getByRole('listitem');
    const after = page.getByRole('button', { name: 'After the list' });
    const untilLater = async (): Promise<void> => {
      const later = (await page.evaluate(() => performance.now())) + INFINITE_SCROLL.delay * 3;
      await page.waitForFunction((time) => performance.now() > time, later);
    };
    await after.focus();
    // What was under way before still comes.
    await untilLater();
    const before = await lines.count();
    await untilLater();
    await expect(lines, 'nothing is loaded').toHaveCount(before);
    await page.keyboard.press('Enter');
    await expect(lines, 'as if it had been under way').toHaveCount(before + 10);
    await expect(after).toBeInViewport();
    await after.blur();
    await lines.nth(before + 10).waitFor();
  });
});
