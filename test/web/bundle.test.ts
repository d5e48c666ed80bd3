import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import t from 'tap';
import { LANGUAGES } from '../../shared/languages.ts';
import { bootFor } from './support/boot.ts';
import { type BuiltWeb, builtWeb } from './support/build.ts';

const BROTLI = { js: 127 * 1024, css: 6.6 * 1024 };

function assetsOf({ folder }: BuiltWeb): Map<string, Buffer> {
  const assets = join(folder, 'client/assets');
  return new Map(readdirSync(assets).map((name) => [name, readFileSync(join(assets, name))]));
}

t.test('the build of the web client', async (t) => {
  const built = await builtWeb(t);
  const assets = assetsOf(built);
  const scripts = [...assets].filter(([name]) => name.endsWith('.js'));
  const text = scripts.map(([, content]) => content.toString()).join('\n');

  t.test('holds no schema library, no message parser and no server code', async (t) => {
    t.ok(scripts.length > 5);
    t.notMatch(text, /typebox|TypeBox|~kind|icu-messageformat-parser|Expected.*CLOSE_TAG/);
    t.notMatch(text, /password_hash|access_token|SELECT /);
  });

  t.test('has every script and style pre-compressed, byte for byte', async (t) => {
    for (const [name, content] of assets) {
      if (!/\.(js|css|svg)$/.test(name)) continue;
      t.ok(brotliDecompressSync(assets.get(`${name}.br`) ?? '').equals(content), `${name}.br`);
      t.ok(gunzipSync(assets.get(`${name}.gz`) ?? '').equals(content), `${name}.gz`);
    }
  });

  t.test('names each file by its content', async (t) => {
    for (const name of assets.keys()) t.match(name, /-[\w-]{8}\.(js|css|svg|webp|png)(\.br|\.gz)?$/);
  });

  t.test('preloads chunks that exist, the language of the page among them', async (t) => {
    for (const language of LANGUAGES) {
      const { html } = await built.entry.render('/plugins/', bootFor(built.entry, '/plugins/', { language }));
      const files = [...html.matchAll(/(?:href|src)="\/plugins\/assets\/([^"]+)"/g)].map(
        (match) => match[1] ?? '',
      );
      t.ok(files.length >= 4, language);
      t.strictSame(
        files.filter((file) => !assets.has(file)),
        [],
        `${language}: all there`,
      );
      t.ok(
        files.some((file) => file.includes(language)),
        `${language}: its texts`,
      );
      t.notMatch(html, /<link rel="stylesheet" href="[^"]+">/, `${language}: no style to wait for`);
    }
  });

  t.test('weighs what a first view may weigh', async (t) => {
    const { html } = await built.entry.render('/plugins/', bootFor(built.entry, '/plugins/'));
    const files = [...html.matchAll(/(?:href|src)="\/plugins\/assets\/([^"]+\.js)"/g)].map(
      (match) => match[1] ?? '',
    );
    const weight = files.reduce((sum, file) => sum + (assets.get(`${file}.br`)?.byteLength ?? 0), 0);
    t.ok(weight < BROTLI.js, `home page scripts: ${weight} bytes of brotli`);
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
    const inlined = brotliCompressSync(style).byteLength;
    t.ok(inlined > 0 && inlined < BROTLI.css, `inlined style: ${inlined} bytes of brotli`);
  });

  t.test('tells the policy hash of every inline style, and inlines no script', async (t) => {
    const { html } = await built.entry.render('/plugins/', bootFor(built.entry, '/plugins/'));
    const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((match) => match[1] ?? '');
    t.equal(styles.length, 1);
    for (const style of styles) {
      const hash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
      t.ok(built.entry.inlineHashes.style.includes(hash));
    }
    const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>/g)].map((match) => match[1] ?? '');
    t.strictSame(inline, [' type="application/json" id="boot"']);
    t.strictSame(built.entry.inlineHashes.script, []);
  });
});
