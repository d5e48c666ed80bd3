import type { TestFile } from './publish-files.ts';

type Written = {
  id?: string;
  version?: string | undefined;
  main?: string;
  /** Bytes by which the package is made heavier. */
  weight?: number;
};

/** A complete plugin package, as JSON can hold it. */
export function pluginPackage(
  name: string,
  { id, version = '1.0.0', main = 'done();', weight = 0 }: Written = {},
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

/** A file of JSON, or of what should have been JSON. */
export function jsonFile(name: string, content: unknown): TestFile {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  return { name, mimeType: 'application/json', buffer: Buffer.from(text) };
}
