import type { Locator } from 'playwright-core';
import sharp from 'sharp';

/** A file as a test hands it to a page. */
export type TestFile = { name: string; mimeType: string; buffer: Buffer };

/** A package that says nothing of its listing but what is given. */
export function packageFile(listing: object = {}, name = 'frame-counter.json'): TestFile {
  const content = {
    format: 'plugin-package',
    formatVersion: 1,
    manifest: {
      name: 'Frame Counter',
      main: 'main.js',
      editorType: ['pixso'],
      networkAccess: { allowedDomains: ['none'] },
    },
    files: { 'main.js': `console.log(${JSON.stringify(listing)});` },
    listing,
  };
  return { name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(content, null, 2)) };
}

/** A picture of one colour. */
export async function pictureFile(name: string, width: number, height: number): Promise<TestFile> {
  const background = { r: width % 256, g: height % 256, b: 120 };
  const buffer = await sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
  return { name, mimeType: 'image/png', buffer };
}

export function textFile(name: string, text: string): TestFile {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
}

type Way = 'drop' | 'paste';

/** Lets files fall onto an element, or pastes them into it, as a person would. */
export async function give(target: Locator, way: Way, files: readonly TestFile[]): Promise<void> {
  const given = files.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    content: buffer.toString('base64'),
  }));
  await target.evaluate(
    (element, { way, given }) => {
      const data = new DataTransfer();
      for (const { name, mimeType, content } of given) {
        const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: mimeType }));
      }
      const shared = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        way === 'drop'
          ? new DragEvent('drop', { ...shared, dataTransfer: data })
          : new ClipboardEvent('paste', { ...shared, clipboardData: data }),
      );
    },
    { way, given },
  );
}
