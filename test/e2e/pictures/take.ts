import type { Page } from 'playwright-core';
import { HEIGHT, type Scene } from './scenes.ts';

/** Takes a picture of a page at rest, with what changes from day to day replaced. */
export async function takePicture(
  page: Page,
  origin: string,
  { path, width }: Scene,
  quiet: () => Promise<void>,
): Promise<Buffer> {
  await page.setViewportSize({ width, height: HEIGHT[width] ?? 0 });
  await page.goto(origin + path);
  await page.locator('h1').first().waitFor();
  await quiet();
  await page.evaluate(freeze);
  await page.waitForFunction(isPainted);
  return page.screenshot({ animations: 'disabled' });
}

/** Runs in the page: moments and numbers read the same every day. */
async function freeze(): Promise<void> {
  for (const time of document.querySelectorAll('time')) time.textContent = '2026';
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const { nodeValue } = text;
    if (nodeValue && /\d/.test(nodeValue)) text.nodeValue = nodeValue.replaceAll(/\d/g, '0');
  }
  await document.fonts.ready;
}

/** Runs in the page: whether every picture in sight is there. */
function isPainted(): boolean {
  return [...document.images].every((image) => {
    const { left, right, top, bottom } = image.getBoundingClientRect();
    const isInSight = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
    return !isInSight || image.complete;
  });
}
