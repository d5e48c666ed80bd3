import t from 'tap';
import { openBrowser } from './support/browser.ts';
import { openPage, watchedPage } from './support/page.ts';
import { runningProduct } from './support/product.ts';

t.test('a new colour scheme applies to cards outside the window', async (t) => {
  const origin = await runningProduct(t);
  const browser = await openBrowser(t);
  const { page, complaints } = await watchedPage(browser, {
    colorScheme: 'light',
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  });
  await openPage(page, `${origin}/plugins/`);
  const likes = page.locator('main').getByRole('button', { name: /^Like/ });
  await likes.nth(12).waitFor();
  const colors = () =>
    likes.evaluateAll((buttons) => buttons.map((button) => getComputedStyle(button).color));
  const light = new Set(await colors());
  t.equal(light.size, 1);
  await page.emulateMedia({ colorScheme: 'dark' });
  const [first = '', ...others] = await colors();
  t.notOk(light.has(first), 'visible cards have changed');
  t.strictSame(
    others.filter((color) => color !== first),
    [],
  );
  t.strictSame(complaints, []);
});
