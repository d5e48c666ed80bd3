import { AxeBuilder } from '@axe-core/playwright';
import t from 'tap';
import {
  DIALOG_CLICK_THROTTLE,
  DIALOG_WIDTH,
  TOAST_DURATION,
  TOAST_STEP,
  TOAST_TOP,
  TOOLTIP_LAYER,
  TOOLTIP_WIDTH_MAX,
} from '../../shared/constants.ts';
import { expect } from './support/expect.ts';
import { boxOf, layerViolations, openPart, stopClock, styleOf } from './support/gallery/open-part.ts';
import { serveGallery } from './support/gallery/serve.ts';

t.test('layers', async (t) => {
  const origin = await serveGallery(t);

  t.test('a dialog is 600 px wide, counts clicks within 20 ms once, closes by its mask', async (t) => {
    const page = await openPart(t, origin, 'dialog');
    await page.getByRole('button', { name: 'Open' }).click();
    const dialog = page.getByRole('dialog', { name: 'A dialog' });
    await dialog.waitFor();
    t.equal((await boxOf(dialog)).width, DIALOG_WIDTH);
    const count = dialog.getByRole('button', { name: 'Count' });
    // An event has the time of its creation: however long the first click takes, the second is as early.
    await count.evaluate((button) => {
      const clicks = [1, 2].map(() => new MouseEvent('click', { bubbles: true, cancelable: true }));
      for (const click of clicks) button.dispatchEvent(click);
    });
    await dialog.getByText('counted 1', { exact: true }).waitFor();
    await count.evaluate((button, wait) => {
      for (let clicks = 0; clicks < 2; clicks += 1) {
        const until = performance.now() + wait;
        while (performance.now() < until);
        if (button instanceof HTMLElement) button.click();
      }
    }, DIALOG_CLICK_THROTTLE * 2);
    await dialog.getByText('counted 3', { exact: true }).waitFor();
    await dialog.getByText('Two').click();
    await expect(dialog.getByRole('radio', { name: 'Two' }), 'a label still works').toBeChecked();

    await page.mouse.click(4, 300);
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('closed 1', { exact: true }).waitFor();
    await expect(page.getByRole('button', { name: 'Open', exact: true }), 'the focus returns').toBeFocused();
    await page.getByRole('button', { name: 'Open' }).click();
    await dialog.waitFor();
    t.strictSame((await new AxeBuilder({ page }).analyze()).violations, []);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  t.test('a mask pressed within 20 ms of a button does not close the dialog', async (t) => {
    const page = await openPart(t, origin, 'dialog');
    await page.getByRole('button', { name: 'Open' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const pressBoth = (first: string) =>
      page.evaluate(
        ({ text, wait }) => {
          const until = performance.now() + wait;
          while (performance.now() < until);
          const mask = document
            .querySelector('[role=dialog]')
            ?.parentElement?.querySelector('[role=presentation]');
          const button = [...document.querySelectorAll('button')].find((one) => one.textContent === text);
          // An event has the time of its creation: however long the first click takes, the others are simultaneous.
          const create = (name: string) => new MouseEvent(name, { bubbles: true, cancelable: true });
          const click = create('click');
          const presses = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'].map(create);
          button?.dispatchEvent(click);
          for (const press of presses) mask?.dispatchEvent(press);
        },
        { text: first, wait: DIALOG_CLICK_THROTTLE * 2 },
      );
    await pressBoth('Count');
    await dialog.getByText('counted 1', { exact: true }).waitFor();
    await expect(dialog).toBeVisible();
    await pressBoth('Nothing of that name');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('closed 1', { exact: true }).waitFor();
  });

  t.test('a dialog has margins of 16 px on a small phone', async (t) => {
    const page = await openPart(t, origin, 'dialog', { viewport: { width: 320, height: 568 } });
    await page.getByRole('button', { name: 'Open' }).click();
    const { x, width } = await boxOf(page.getByRole('dialog'));
    t.strictSame([x, width], [16, 288]);
  });

  t.test('toasts stay 1500 ms, 48 px from the top and 58 px apart, one line or two', async (t) => {
    const page = await openPart(t, origin, 'toast');
    await stopClock(page);
    const short = page.getByRole('button', { name: 'Short' });
    const long = page.getByRole('button', { name: 'Long' });
    await short.click();
    await page.clock.runFor(TOAST_DURATION - 1);
    const toasts = page.getByRole('status').locator('> *');
    await expect(toasts).toHaveCount(1);
    await page.clock.runFor(1);
    await expect(toasts).toHaveCount(0);
    for (const button of [short, long, long, short]) await button.click();
    await toasts.nth(3).waitFor();
    const boxes = await Promise.all((await toasts.all()).map(boxOf));
    t.strictSame(
      boxes.map(({ y }) => y),
      [0, 1, 2, 3].map((place) => TOAST_TOP + place * TOAST_STEP),
    );
    t.strictSame(
      boxes.map(({ height }) => height),
      [44, 44, 44, 44],
    );
    await page.setViewportSize({ width: 320, height: 568 });
    const narrow = await Promise.all((await toasts.all()).map(boxOf));
    for (const [place, box] of narrow.entries()) {
      const above = narrow[place - 1];
      t.ok(!above || box.y >= above.y + above.height, 'toasts do not overlap');
      t.ok(box.x >= 0 && box.x + box.width <= 320, 'no toast is cut off');
    }
    await toasts.first().hover();
    await page.clock.resume();
    t.strictSame((await new AxeBuilder({ page }).analyze()).violations, []);
  });

  t.test('a toast stays while the pointer rests on it', async (t) => {
    const page = await openPart(t, origin, 'toast');
    await stopClock(page);
    await page.getByRole('button', { name: 'Short' }).click();
    const toast = page.getByRole('status').getByText('Liked');
    await toast.hover();
    await page.clock.runFor(TOAST_DURATION * 4);
    await expect(toast).toHaveCount(1);
    await page.mouse.move(5, 400);
    await page.clock.runFor(TOAST_DURATION);
    await expect(toast).toHaveCount(0);
  });

  t.test(
    'a tooltip appears immediately above, aligned to the end, or below without room above',
    async (t) => {
      const page = await openPart(t, origin, 'tooltip');
      const anchor = page.getByRole('button', { name: 'Long' });
      await anchor.hover();
      const tip = page.getByText('A text that says');
      await tip.waitFor();
      const [box, place] = [await boxOf(tip), await boxOf(anchor)];
      t.ok(box.y + box.height <= place.y, 'above');
      t.equal(Math.round(box.x + box.width), Math.round(place.x + place.width), 'the ends are aligned');
      t.ok(box.width <= TOOLTIP_WIDTH_MAX && box.width > TOOLTIP_WIDTH_MAX - 40, `${box.width} px wide`);
      t.equal(await styleOf(tip, 'max-width'), `${TOOLTIP_WIDTH_MAX}px`);
      const layer = await tip.evaluate(
        (element) => getComputedStyle(element.parentElement ?? element).zIndex,
      );
      t.equal(layer, String(TOOLTIP_LAYER));
      await page.mouse.move(5, 5);
      await tip.waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'At the top' }).hover();
      const flipped = page.getByText('At the top');
      await flipped.waitFor();
      t.ok((await boxOf(flipped)).y >= 40, 'below');
    },
  );

  t.test('a tooltip opens on focus, closes with Escape, and can be hovered', async (t) => {
    const page = await openPart(t, origin, 'tooltip');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const tip = page.getByText('A text that says');
    await tip.waitFor();
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Long' }).hover();
    await tip.waitFor();
    const { x, y, width, height } = await boxOf(tip);
    await page.mouse.move(x + width - 20, y + height + 4, { steps: 4 });
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
    await expect(tip).toBeVisible();
    await page.mouse.move(5, 5);
    await tip.waitFor({ state: 'detached' });
  });

  t.test('HTML of a tooltip keeps only inline formatting and web links', async (t) => {
    // The browser reports policy violations of the copy that is sanitized.
    const page = await openPart(t, origin, 'tooltip', {
      expected:
        /inline event handler|inline style|(script-src-attr|style-src-elem|style-src-attr) forbids inline/,
    });
    await page.getByRole('button', { name: 'Rich' }).hover();
    const tip = page.getByRole('tooltip');
    await tip.getByText('bold').waitFor();
    t.equal(
      await tip.locator('span').innerHTML(),
      'Press <kbd>J</kbd> or <a href="https://example.com/keys" target="_blank" ' +
        'rel="noopener noreferrer nofollow">read on</a><a target="_blank" rel="noopener noreferrer nofollow">' +
        'do not</a><b>bold</b><a target="_blank" rel="noopener noreferrer nofollow">nor this</a>',
    );
    const described = await page.getByRole('button', { name: 'Rich' }).getAttribute('aria-describedby');
    t.equal(described, await tip.getAttribute('id'), 'the tooltip describes its button');
    t.strictSame(await layerViolations(page), []);
  });
});
