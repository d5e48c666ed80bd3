import t from 'tap';
import { CHIEF, CHIEF_SETTINGS, openScreen, pageOf } from './support/administrators.ts';
import { openBrowser } from './support/browser.ts';
import { moveByKeyboard } from './support/page.ts';
import { runningProduct } from './support/product.ts';

t.test('a refused order shows the message of the other service', async (t) => {
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
  await moveByKeyboard(page, first, 'ArrowDown', ['1 of', '2 of']);
  await page.getByText('Couldn’t save the order. Please try again: The shelf is full.').waitFor();
});
