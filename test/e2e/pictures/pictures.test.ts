/** Twelve pages beside their kept pictures; `PICTURES=renew npm run test:pictures` keeps what is there now. */
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import sharp from 'sharp';
import t from 'tap';
import { CHIEF, CHIEF_SETTINGS, pageOf } from '../support/administrators.ts';
import { openBrowser } from '../support/browser.ts';
import { hydrated, watchedPage } from '../support/page.ts';
import { runningProduct } from '../support/product.ts';
import { followRequests } from '../support/quiet.ts';
import { difference } from './compare.ts';
import { SCENES, type Scene } from './scenes.ts';

const KEPT = new URL('kept/', import.meta.url);
/** Share of pixels that may differ, as a new version of the browser draws letters a little otherwise. */
const TOLERATED = 0.005;
const HEIGHTS = { 1440: 900, 768: 1024, 375: 812 } as const;

t.test('twelve pages look as they did', async (t) => {
  const origin = await runningProduct(t, CHIEF_SETTINGS);
  const browser = await openBrowser(t);
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-pictures-'));
  await mkdir(KEPT, { recursive: true });
  const { page: signedIn } = await pageOf(browser, origin, CHIEF);
  const session = await signedIn.context().storageState();

  for (const scene of SCENES) {
    t.test(scene.name, async (t) => {
      const { width, lang, scheme, isAdmin = false } = scene;
      const { page } = await watchedPage(browser, {
        viewport: { width, height: HEIGHTS[width] },
        colorScheme: scheme,
        reducedMotion: 'reduce',
        ...(isAdmin && { storageState: session }),
      });
      await page.context().addCookies([{ name: 'lang', value: lang, url: origin }]);
      const picture = await takePicture(page, origin, scene);
      await page.context().close();
      const kept = new URL(`${scene.name}.webp`, KEPT);
      if (process.env.PICTURES === 'renew') {
        await writeFile(kept, await sharp(picture).webp({ quality: 92, effort: 6 }).toBuffer());
        return t.pass('kept');
      }
      const { share, where } = await difference(await readFile(kept), picture);
      if (share > TOLERATED) {
        await writeFile(join(folder, `${scene.name}.png`), picture);
        await writeFile(join(folder, `${scene.name}.difference.png`), where);
      }
      t.ok(share <= TOLERATED, `${(share * 100).toFixed(2)} % differ: see ${folder}`);
    });
  }
});

async function takePicture(page: Page, origin: string, { path, prepare }: Scene): Promise<Buffer> {
  const quiet = followRequests(page);
  await page.goto(origin + path);
  await hydrated(page);
  await page.locator('h1').first().waitFor();
  await prepare?.(page);
  await quiet();
  await Promise.all(page.frames().map(withoutNumbers));
  await page.waitForFunction(isLoaded);
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

/** Moments and numbers are other ones every day. */
function withoutNumbers(frame: Frame | Page): Promise<void> {
  return frame.evaluate(async () => {
    for (const time of document.querySelectorAll('time')) time.textContent = '2026';
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const { nodeValue } = text;
      if (nodeValue && /\d/.test(nodeValue)) text.nodeValue = nodeValue.replaceAll(/\d/g, '0');
    }
    await document.fonts.ready;
  });
}

/** In the page: whether every picture in sight is there. */
function isLoaded(): boolean {
  return [...document.images].every((image) => {
    const { left, right, top, bottom } = image.getBoundingClientRect();
    const isInSight = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    return !isInSight || image.complete;
  });
}
