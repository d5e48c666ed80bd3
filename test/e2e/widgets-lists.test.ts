import t from 'tap';
import { DROPDOWN_MARGIN, FOCUS_DELAY, INFINITE_SCROLL } from '../../shared/constants.ts';
import { openBrowser } from './support/browser.ts';
import { boxOf, heldClock, layerViolations, openPart, styleOf } from './support/gallery/open-part.ts';
import { servedGallery } from './support/gallery/serve.ts';

t.test('lists', async (t) => {
  const origin = await servedGallery(t);
  const browser = await openBrowser(t);

  t.test('what drops down leaves 32 px of the height of the screen', async (t) => {
    const height = 400;
    const { page, complaints } = await openPart(browser, origin, 'dropdown', {
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
    t.strictSame(complaints, []);
    await page.context().close();
  });

  t.test('the keyboard is put into a field 100 ms after it has come', async (t) => {
    const { page } = await openPart(browser, origin, 'focus');
    await heldClock(page);
    await page.getByRole('button', { name: 'Show' }).click();
    const field = page.getByLabel('Name');
    const isFocused = () => field.evaluate((element) => element === document.activeElement);
    await page.clock.runFor(FOCUS_DELAY - 1);
    t.notOk(await isFocused());
    await page.clock.runFor(1);
    t.ok(await isFocused());
    await page.context().close();
  });

  t.test(
    'a list asks for more while its end is in sight, every 200 ms, not before it is there',
    async (t) => {
      const viewport = { width: 900, height: 600 };
      const { page, complaints } = await openPart(browser, origin, 'scroll', { viewport });
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
      const later = (await page.evaluate(() => performance.now())) + INFINITE_SCROLL.delay * 3;
      await page.waitForFunction((time) => performance.now() > time, later);
      t.equal(await lines.count(), full, 'its end is out of sight');
      await page.mouse.move(400, 300);
      for (const place of [full, full + 1]) {
        await page.mouse.wheel(0, 10_000);
        await lines.nth(place).waitFor();
      }
      const asked = await lines.evaluateAll((all) =>
        all.map((line) => Number(line.getAttribute('data-asked'))),
      );
      const gaps = asked.slice(2).map((time, place) => time - (asked[place + 1] ?? 0));
      t.ok(gaps.length > 3);
      t.ok(
        gaps.every((gap) => gap >= INFINITE_SCROLL.delay - 1),
        `never sooner than every 200 ms: ${gaps.map(Math.round)}`,
      );
      t.strictSame(complaints, []);
      await page.context().close();
    },
  );
});
