import type { Locator } from 'playwright-core';
import sharp from 'sharp';

export type TestFile = { name: string; mimeType: string; buffer: Buffer };

type PackageOptions = {
  id?: string;
  version?: string | undefined;
  main?: string;
  /** Bytes of padding. */
  weight?: number;
};

/** A complete plugin package. */
export function pluginPackage(
  name: string,
  { id, version = '1.0.0', main = 'done();', weight = 0 }: PackageOptions = {},
): object {
  return {
    format: 'plugin-package',
    formatVersion: 1,
    manifest: { name, id, main: 'main.js', ui: 'ui.html', networkAccess: { allowedDomains: ['none'] } },
    files: { 'main.js': main, 'ui.html': `<p>${'x'.repeat(weight)}</p>` },
    listing: {
      name: { 'en-US': name },
      intro: { 'en-US': 'Does one thing well.' },
      description: { 'en-US': 'It does it.\n\nEvery time.' },
      contact: 'help@example.com',
      version,
      versionNote: { 'en-US': 'Faster.', 'zh-CN': '更快。' },
    },
  };
}

/** A JSON file; a string is used as it is, so that it may be invalid. */
export function jsonFile(name: string, content: unknown): TestFile {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  return { name, mimeType: 'application/json', buffer: Buffer.from(text) };
}

/** A package file whose listing has only the given fields. */
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
  return jsonFile(name, content);
}

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

/** Drops files onto an element, or pastes them into it. */
export async function dropOrPaste(target: Locator, way: Way, files: readonly TestFile[]): Promise<void> {
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
