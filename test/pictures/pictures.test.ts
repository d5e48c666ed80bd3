/**
 * Compares twelve pages with stored screenshots; `PICTURES=renew npm run test:pictures` stores new ones, and those of the
 * README.
 */
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Frame, Page } from 'playwright-core';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { adminPage } from '../e2e/support/account.ts';
import { followRequests, newPage, openPage } from '../e2e/support/page.ts';
import { ownDemo } from '../e2e/support/product.ts';
import { README_SCENES, SCENES, type Scene } from './scenes.ts';

const STORED = new URL('kept/', import.meta.url);
const README_IMAGES = new URL('../../docs/images/', import.meta.url);
const IS_RENEWING = process.env.PICTURES === 'renew';
/** Share of pixels that may differ: browser versions draw text slightly differently. */
const TOLERATED = 0.005;
/** Colour difference caused by compression and anti-aliasing, as pixelmatch's threshold from 0 to 1. */
const THRESHOLD = 0.2;
const HEIGHTS = { 1440: 900, 768: 1024, 375: 812 } as const;

t.test('twelve pages look like their screenshots', async (t) => {
  const product = await ownDemo(t);
  const { origin } = product;
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-pictures-'));
  await mkdir(STORED, { recursive: true });

  const picturePage = async (t: Test, { width, lang, scheme, isAdmin = false }: Scene) => {
    const options = {
      viewport: { width, height: HEIGHTS[width] },
      colorScheme: scheme,
      reducedMotion: 'reduce',
    } as const;
    const page = await (isAdmin ? adminPage(t, product, options) : newPage(t, options));
    await page.context().addCookies([{ name: 'lang', value: lang, url: origin }]);
    return page;
  };

  for (const scene of SCENES) {
    t.test(scene.name, async (t) => {
      const page = await picturePage(t, scene);
      await showScene(page, origin, scene);
      await Promise.all(page.frames().map(withoutNumbers));
      const picture = await drawn(page);
      const stored = new URL(`${scene.name}.webp`, STORED);
      if (IS_RENEWING) {
        await storePicture(stored, picture);
        return t.pass('stored');
      }
      const { share, marked } = await difference(await readFile(stored), picture);
      if (share > TOLERATED) {
        await writeFile(join(folder, `${scene.name}.png`), picture);
        await writeFile(join(folder, `${scene.name}.difference.png`), marked);
      }
      t.ok(share <= TOLERATED, `${(share * 100).toFixed(2)} % differ: see ${folder}`);
    });
  }

  // Last: a submission that was opened is held, which the queue shows.
  for (const scene of IS_RENEWING ? README_SCENES : []) {
    t.test(`${scene.name} of the README`, async (t) => {
      const page = await picturePage(t, scene);
      await showScene(page, origin, scene);
      await storePicture(new URL(`${scene.name}.webp`, README_IMAGES), await drawn(page));
      t.pass('stored');
    });
  }
});

async function storePicture(at: URL, picture: Buffer): Promise<void> {
  await writeFile(at, await sharp(picture).webp({ quality: 92, effort: 6 }).toBuffer());
}

async function showScene(page: Page, origin: string, { path, prepare }: Scene): Promise<void> {
  const waitForIdle = followRequests(page);
  await openPage(page, origin + path);
  await page.locator('h1').first().waitFor();
  await prepare?.(page);
  await waitForIdle();
  // React replaces what was changed before it took over.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('main button')].every((button) =>
      Object.keys(button).some((key) => key.startsWith('__reactProps')),
    ),
  );
}

/** A screenshot once pictures and fonts are there. */
async function drawn(page: Page): Promise<Buffer> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForFunction(isLoaded);
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

/** Replaces times and numbers, which change every day. */
function withoutNumbers(frame: Frame | Page): Promise<void> {
  return frame.evaluate(() => {
    for (const time of document.querySelectorAll('time')) time.textContent = '2026';
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const { nodeValue } = text;
      if (nodeValue && /\d/.test(nodeValue)) text.nodeValue = nodeValue.replaceAll(/\d/g, '0');
    }
  });
}

/** Runs in the page: whether all visible pictures are loaded. */
function isLoaded(): boolean {
  return [...document.images].every((image) => {
    const { left, right, top, bottom } = image.getBoundingClientRect();
    const isVisible = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    return !isVisible || image.complete;
  });
}

/** Share of different pixels from 0 to 1, and a picture that marks them. Pictures of different sizes differ completely. */
async function difference(stored: Buffer, current: Buffer): Promise<{ share: number; marked: Buffer }> {
  const [before, after] = await Promise.all(
    [stored, current].map((one) => sharp(one).ensureAlpha().raw().toBuffer({ resolveWithObject: true })),
  );
  if (!before || !after) throw new Error('expected two pictures');
  const { width, height } = after.info;
  if (before.info.width !== width || before.info.height !== height) return { share: 1, marked: current };
  const pixels = Buffer.alloc(after.data.length);
  const count = pixelmatch(before.data, after.data, pixels, width, height, { threshold: THRESHOLD });
  const marked = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  return { share: count / (width * height), marked };
}
