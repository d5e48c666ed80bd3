import sharp from 'sharp';
import t from 'tap';
import { checkScreen } from './access/check-screen.ts';
import { ADMIN, memberPage, signedInPage } from './support/account.ts';
import { expect } from './support/expect.ts';
import { followRequests, newPage, openPage } from './support/page.ts';
import { sharedProduct } from './support/product.ts';
import { dropOrPaste, packageFile } from './support/publish-files.ts';
import { field, fileInput, fillTexts, openForm, submit, submittedKey } from './support/publish-form.ts';

/** A picture with something to see on it. */
async function drawing(name: string, fill: string, background: string) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540"><rect width="960" height="540" fill="${background}"/>
    <rect x="120" y="90" width="300" height="360" rx="24" fill="${fill}"/><rect x="500" y="120" width="340" height="60" rx="30" fill="${fill}"/>
    <rect x="500" y="230" width="260" height="40" rx="20" fill="${fill}"/><circle cx="560" cy="390" r="60" fill="${fill}"/></svg>`;
  return { name, mimeType: 'image/png', buffer: await sharp(Buffer.from(svg)).png().toBuffer() };
}

t.test('two pictures are one item, from the form to visitors', async (t) => {
  const product = await sharedProduct();
  const { origin, reviewer, pool } = product;
  const page = await memberPage(t, product, 'Comparer');
  const tiles = page.locator('[data-field=media] li');
  await openForm(page, origin);
  await fileInput(page, 'code').setInputFiles(packageFile({ name: { 'en-US': 'Colour Fixer' } }));
  await page.getByText('Filled in from the package').waitFor();
  await fillTexts(page, 'Colour Fixer');
  await field(page, 'License').fill('mit');
  await field(page, 'Home page').fill('https://example.com/colour-fixer');
  await dropOrPaste(fileInput(page, 'media'), 'drop', [
    await drawing('other.png', '#444', '#eee'),
    await drawing('after.png', '#e2483d', '#fff4d6'),
    await drawing('before.png', '#9a9a9a', '#e4e4e4'),
  ]);
  await tiles.nth(2).waitFor();
  const compare = page.getByRole('button', { name: 'Show image 3 as the “before” of image 2' });
  await compare.focus();
  await page.keyboard.press('Space');
  await expect(compare).toHaveAttribute('aria-pressed', 'true');
  await expect(tiles.getByRole('img')).toHaveCount(3);
  await tiles.getByRole('img', { name: 'Image 3, before' }).waitFor();
  await page.getByRole('button', { name: 'Move Image 2, after earlier' }).click();
  await tiles.getByRole('img', { name: 'Image 2, before' }).waitFor();
  await submit(page).click();
  const key = await submittedKey(page);

  const administrator = await signedInPage(t, product, ADMIN);
  const { rows } = await pool.query(
    'select s.id from community.submission s join community.plugin p on p.id = s.plugin_id where p.plugin_key = $1',
    [key],
  );
  await openPage(administrator, `${origin}/plugins/backstage-index/audit-list/${rows[0].id}`);
  await administrator.getByRole('tab', { name: 'Listing' }).click();
  await administrator.getByText('“Before” of the one above').waitFor();

  await reviewer.pass(key);
  await openForm(page, origin, `?plugin_key=${key}`);
  await field(page, 'Name').fill('Colour Mender');
  await submit(page).click();
  await page.getByRole('heading', { name: 'Submitted' }).waitFor();
  await reviewer.pass(key);

  const visitor = await newPage(t, { reducedMotion: 'reduce' });
  const waitForIdle = followRequests(visitor);
  const url = `${origin}/plugins/plugin/${key}`;
  const slider = visitor.getByRole('slider', { name: 'Before and after' });
  const { findings } = await checkScreen(visitor, {
    url,
    schemes: ['light', 'dark'],
    waitForIdle,
    states: {
      async compared() {
        const thumbs = visitor.getByRole('region', { name: 'Gallery' }).locator('li button');
        await expect(thumbs, 'a cover that was made, the pair, the other').toHaveCount(3);
        await visitor.getByRole('button', { name: 'Before and after, item 2 of 3' }).click();
        await expect(slider).toHaveAttribute('aria-valuetext', 'Before: 50%');
        await visitor.getByRole('img', { name: 'Before, item 2 of 3' }).waitFor();
        await visitor.getByRole('img', { name: 'After, item 2 of 3' }).waitFor();
      },
      async 'with its history'() {
        await visitor.getByRole('button', { name: 'History of this listing' }).click();
        await visitor.getByText('Renamed from “Colour Fixer” to “Colour Mender”').waitFor();
        await visitor.getByRole('heading', { name: 'First published: version 1.0.0' }).waitFor();
      },
    },
  });
  t.strictSame(findings, []);

  await slider.focus();
  await visitor.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuetext', 'Before: 51%');
  await visitor.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuetext', 'Before: 0%');
  await visitor.keyboard.press('End');
  await expect(slider).toHaveAttribute('aria-valuetext', 'Before: 100%');
  const box = await slider.boundingBox();
  if (!box) throw new Error('the slider is not drawn');
  const middle = box.y + box.height / 2;
  await visitor.mouse.move(box.x + box.width / 2, middle);
  await visitor.mouse.down();
  await visitor.mouse.move(box.x + box.width / 4, middle, { steps: 4 });
  await visitor.mouse.up();
  await expect(slider).toHaveAttribute('aria-valuetext', /^Before: 2\d%$/);

  await visitor.getByRole('button', { name: 'View full size' }).click();
  const dialog = visitor.getByRole('dialog');
  await dialog.getByRole('slider', { name: 'Zoom' }).waitFor();
  await dialog.getByRole('slider', { name: 'Before and after' }).focus();
  await visitor.keyboard.press('End');
  await expect(dialog.getByRole('slider', { name: 'Before and after' })).toHaveAttribute(
    'aria-valuetext',
    'Before: 100%',
  );
  await visitor.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect(visitor.getByRole('button', { name: 'View full size' })).toBeFocused();
});
