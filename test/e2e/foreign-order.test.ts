import t from 'tap';
import { CHIEF, CHIEF_SETTINGS, openScreen, pageOf } from './support/administrators.ts';
import { openBrowser } from './support/browser.ts';
import { drawn } from './support/page.ts';
import { runningProduct } from './support/product.ts';

t.test('a list that a foreign service does not put in order says why, in its words', async (t) => {
  const origin = await runningProduct(t, CHIEF_SETTINGS);
  const browser = await openBrowser(t);
  const { page } = await pageOf(browser, origin, CHIEF, { expected: /status of 409/ });
  await openScreen(page, origin, 'plugin-list');
  await page.getByRole('tab', { name: 'Recommended' }).click();
  const list = page.getByRole('list', { name: 'Recommended' });
  await list.waitFor();
  await page.route('**/plugin/recommendation/order', (route) =>
    route.fulfill({ status: 409, json: { code: 7001, message: 'The shelf is full.', data: null } }),
  );
  const [first = ''] = await list.getByRole('listitem').getByRole('link').allTextContents();
  await page.getByRole('button', { name: `Move “${first}”`, exact: true }).focus();
  await page.keyboard.press('Space');
  await page.getByText(`“${first}” is now at place 1 of`).waitFor();
  await drawn(page);
  await page.keyboard.press('ArrowDown');
  await page.getByText(`“${first}” is now at place 2 of`).waitFor();
  await drawn(page);
  await page.keyboard.press('Space');
  await page.getByText('Couldn’t save the order. Please try again: The shelf is full.').waitFor();
});
