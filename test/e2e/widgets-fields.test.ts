import { AxeBuilder } from '@axe-core/playwright';
import t from 'tap';
import { NUMBER_INPUT, RADIO_BUTTON, SLIDER } from '../../shared/constants.ts';
import { expect } from './support/expect.ts';
import { boxOf, openPart, stopClock, styleOf } from './support/gallery/open-part.ts';
import { serveGallery } from './support/gallery/serve.ts';

t.test('fields', async (t) => {
  const origin = await serveGallery(t);

  t.test('a number field has a minimum of 0, a maximum of 10 and steps of 1', async (t) => {
    const page = await openPart(t, origin, 'number');
    const field = page.getByRole('spinbutton', { name: 'Number' });
    const more = page.getByRole('button', { name: 'More' });
    const less = page.getByRole('button', { name: 'Less' });
    const { min, max } = NUMBER_INPUT;
    t.strictSame(
      await field.evaluate((one) =>
        ['aria-valuemin', 'aria-valuemax', 'aria-valuenow'].map((n) => one.getAttribute(n)),
      ),
      [String(min), String(max), String(min)],
    );
    await expect(less).toBeDisabled();
    await more.click();
    await expect(field).toHaveValue('1');
    await field.focus();
    await page.keyboard.press('ArrowUp');
    await expect(field).toHaveValue('2');
    for (let press = 0; press < 12; press += 1) await page.keyboard.press('ArrowUp');
    await expect(field).toHaveValue('10');
    await expect(more).toBeDisabled();
    await page.keyboard.press('ArrowDown');
    await page.getByText('is 9, entered nothing').waitFor();
    t.strictSame((await new AxeBuilder({ page }).analyze()).violations, []);
  });

  t.test('an invalid typed number is reset', async (t) => {
    const page = await openPart(t, origin, 'number');
    const field = page.getByRole('spinbutton', { name: 'Number' });
    const type = async (text: string): Promise<string> => {
      await field.fill(text);
      await field.blur();
      return field.inputValue();
    };
    t.equal(await type('7'), '7');
    for (const text of ['11', 'seven']) {
      t.equal(await type(text), '7', `“${text}” is refused`);
    }
    t.equal(await type('３'), '3', 'full-width digits are accepted');
    t.equal(await type(' 10 '), '10');
    t.equal(await type('0'), '0');
    await field.fill('5');
    await field.press('Enter');
    await page.getByText('is 5, entered 5').waitFor();
    await field.fill('50');
    await field.press('Enter');
    await expect(field).toHaveValue('5');
    await page.getByText('is 5, entered 5').waitFor();
    const place = page.getByRole('spinbutton', { name: 'Place' });
    await place.fill('6');
    await place.press('ArrowDown');
    await expect(place, 'a step starts at the last valid number').toHaveValue('2');
  });

  t.test('a held button repeats every 100 ms and stops at the maximum', async (t) => {
    const page = await openPart(t, origin, 'number');
    await stopClock(page);
    const field = page.getByRole('spinbutton', { name: 'Number' });
    const more = page.getByRole('button', { name: 'More' });
    await more.hover();
    await page.mouse.down();
    await page.clock.runFor(NUMBER_INPUT.repeat - 1);
    await expect(field).toHaveValue('0');
    await page.clock.runFor(1);
    await expect(field).toHaveValue('1');
    for (let repeat = 0; repeat < 3; repeat += 1) await page.clock.runFor(NUMBER_INPUT.repeat);
    await expect(field).toHaveValue('4');
    await page.mouse.up();
    await page.clock.runFor(1000);
    await expect(field, 'the click that ends it adds nothing').toHaveValue('4');
    await more.click();
    await expect(field, 'the next click adds one').toHaveValue('5');
    await page.mouse.down();
    await page.mouse.move(5, 5);
    await page.clock.runFor(1000);
    await expect(field, 'leaving the button stops it').toHaveValue('5');
    await page.mouse.up();
    await more.hover();
    await page.mouse.down();
    for (let repeat = 0; repeat < 12; repeat += 1) await page.clock.runFor(NUMBER_INPUT.repeat);
    await expect(field).toHaveValue('10');
    await field.press('ArrowDown');
    await page.clock.runFor(1000);
    await expect(field, 'a button at the maximum has stopped').toHaveValue('9');
    await page.mouse.up();
  });

  t.test('a slider has values from 0 to 100 and a thumb of 10 px', async (t) => {
    const page = await openPart(t, origin, 'slider');
    const input = page.getByRole('slider', { name: 'Zoom' });
    await expect(input).toHaveAttribute('aria-valuetext', '20 per cent');
    const button = input.locator('..');
    const { width, height, x, y } = await boxOf(button);
    t.strictSame([width, height], [SLIDER.button, SLIDER.button]);
    await input.focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('is 21', { exact: true }).waitFor();
    await page.keyboard.press('End');
    await page.getByText(`is ${SLIDER.max}`, { exact: true }).waitFor();
    await page.keyboard.press('Home');
    await page.getByText(`is ${SLIDER.min}`, { exact: true }).waitFor();
    t.not(await styleOf(button, 'outline-style'), 'none', 'the focus is visible');
    const track = await boxOf(page.locator('[role=group]').or(button.locator('../..')).first());
    await page.mouse.click(track.x + track.width / 2, y + height / 2 + 6);
    t.equal(
      Math.round(Number(await input.getAttribute('aria-valuenow')) / 5) * 5,
      50,
      'clicked next to its track',
    );
    await page.mouse.move(x + width / 2, y);
    t.strictSame((await new AxeBuilder({ page }).analyze()).violations, []);
  });

  t.test('invalid slider options log a warning and are corrected', async (t) => {
    const message = 'value should not be greater than max';
    const page = await openPart(t, origin, 'slider', { expected: new RegExp(message) });
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    // Reported in an effect, after the slider is drawn.
    const reported = page.waitForEvent('pageerror');
    await page.goto(`${origin}/slider?max=50&value=60`);
    await page.getByRole('slider').waitFor();
    await reported;
    t.strictSame([...new Set(errors)], [message]);
    await page.getByRole('slider').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    await page.getByText('is 50', { exact: true }).waitFor();
  });

  t.test('radio buttons in a row are 24 px high with 4 px of space; arrow keys choose', async (t) => {
    const page = await openPart(t, origin, 'radio');
    const group = page.getByRole('group', { name: 'Span' });
    t.equal(await styleOf(group, 'padding'), `${RADIO_BUTTON.padding}px`);
    t.equal((await boxOf(group.getByText('week'))).height, RADIO_BUTTON.height);
    await page.keyboard.press('Tab');
    t.not(await styleOf(group.getByText('day'), 'outline-style'), 'none', 'the focus is visible');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('radio', { name: 'week' })).toBeChecked();
    await group.getByText('month').click();
    await expect(page.getByRole('radio', { name: 'month' })).toBeChecked();
    t.strictSame((await new AxeBuilder({ page }).analyze()).violations, []);
  });

  t.test('a radio button has a touch target of 44 px', async (t) => {
    const page = await openPart(t, origin, 'radio', { hasTouch: true, isMobile: true });
    const { x, y, width, height } = await boxOf(page.getByText('week'));
    await page.touchscreen.tap(x + width / 2, y + height + 8);
    await expect(page.getByRole('radio', { name: 'week' })).toBeChecked();
  });

  t.test(
    'a text field has two sizes, a limit and a clear button; Enter during a composition is ignored',
    async (t) => {
      const page = await openPart(t, origin, 'text');
      const name = page.getByLabel('Name');
      const search = page.getByRole('searchbox', { name: 'Search' });
      t.equal((await boxOf(name.locator('..'))).height, 32, 'small');
      t.equal((await boxOf(search.locator('..'))).height, 40, 'default');
      await name.pressSequentially('abcdefg');
      await expect(name).toHaveValue('abcde');
      await name.press('Enter');
      await page.getByText('entered 1').waitFor();
      for (const [kind, facts] of Object.entries({
        'a composition': { isComposing: true },
        'the key that ends a composition': { keyCode: 229 },
      })) {
        await name.dispatchEvent('keydown', { key: 'Enter', bubbles: true, ...facts });
        await expect(page.getByText('entered 1'), kind).toHaveCount(1);
      }
      await page.getByRole('button', { name: 'Clear', exact: true }).click();
      await expect(name).toHaveValue('');
      await expect(name).toBeFocused();
      await expect(page.getByRole('button', { name: 'Clear', exact: true })).toHaveCount(0);
      t.strictSame((await new AxeBuilder({ page }).analyze()).violations, []);
    },
  );

  t.test('a password can be shown', async (t) => {
    const page = await openPart(t, origin, 'text');
    const field = page.getByLabel('Password', { exact: true });
    const toggle = page.getByRole('button', { name: 'Show password' });
    await expect(field).toHaveAttribute('type', 'password');
    await toggle.focus();
    await page.keyboard.press('Space');
    await expect(field).toHaveAttribute('type', 'text');
    await expect(toggle).toHaveAttribute('aria-pressed', 'true');
    await toggle.click();
    await expect(field).toHaveAttribute('type', 'password');
  });
});
