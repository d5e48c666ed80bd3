import t from 'tap';
import { newPage, openPage } from './support/page.ts';
import { steadyProduct } from './support/product.ts';

t.test('a new colour scheme applies to cards outside the window', async (t) => {
  const product = await steadyProduct();
  const { origin } = product;
  const page = await newPage(t, {
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
});
