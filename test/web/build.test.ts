import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import t from 'tap';
import type { PluginCard } from '../../shared/entities/plugin.ts';
import { LANGUAGES } from '../../shared/languages.ts';
import { catalogue, changedCatalogue } from './support/answers.ts';
import { bootWith } from './support/boot.ts';
import { type BuiltWeb, builtWeb } from './support/build.ts';

t.test('a page folder has one page and one route', async (t) => {
  const pages = fileURLToPath(new URL('../../web/pages', import.meta.url));
  const foldersOf = (pattern: string): string[] =>
    globSync(pattern, { cwd: pages })
      .map((file) => posix.dirname(file))
      .sort();
  const folders = foldersOf('**/*-page.tsx');
  t.ok(folders.length > 20);
  t.strictSame(foldersOf('**/{route,member-route}.ts'), folders);
  t.equal(new Set(folders).size, folders.length);
});

t.test('bundle', async (t) => {
  /** Brotli bytes of the home page, with a tenth of room: loaded before it is usable, and in total when idle. */
  const BUDGET = {
    scriptsAtFirst: 178_000,
    scriptsInAll: 201_000,
    style: 11_300,
    texts: 8100,
    /** The document without its style, of the test catalogue, as the gateway first sends it. */
    document: 9400,
  };
  const GATEWAY_COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

  /** Chunks that the home page loads when idle. */
  const IDLE_SCRIPT = /^(?:embla-carousel|privacy-controls|calls|wire|consent-dialog)[.-]/;

  function assetsOf({ folder }: BuiltWeb): Map<string, Buffer> {
    const assets = join(folder, 'client/assets');
    return new Map(readdirSync(assets).map((name) => [name, readFileSync(join(assets, name))]));
  }

  const TEXTS = /^(?:\w\w-\w\w|home)-[\w-]{8}\.js$/;

  /** A catalogue where each plugin has its own icon and cover. */
  const withPictures = changedCatalogue((data) => {
    const picture = (name: string, widths: number[]) => ({
      key: createHash('sha256').update(name).digest('hex').slice(0, 32),
      width: 1280,
      height: 720,
      widths,
    });
    const shown = (plugin: PluginCard): PluginCard => ({
      ...plugin,
      icon: picture(`icon ${plugin.plugin_key}`, [64, 128, 320]),
      cover: picture(`cover ${plugin.plugin_key}`, [320, 640, 1280]),
    });
    const isPlugin = (value: unknown): value is PluginCard =>
      typeof value === 'object' && value !== null && 'plugin_key' in value && 'cover' in value;
    return JSON.parse(JSON.stringify(data), (_, value: unknown) => (isPlugin(value) ? shown(value) : value));
  });

  t.test('the build of the web client', async (t) => {
    const built = await builtWeb();
    const assets = assetsOf(built);
    const scripts = [...assets].filter(([name]) => name.endsWith('.js'));
    const text = scripts.map(([, content]) => content.toString()).join('\n');

    t.test('has no schema library, no message parser and no server code', async (t) => {
      t.ok(scripts.length > 5);
      t.notMatch(text, /typebox|TypeBox|~kind|icu-messageformat-parser|Expected.*CLOSE_TAG/);
      t.notMatch(text, /password_hash|access_token|SELECT /);
    });

    t.test('has a compressed copy of every script and style, byte for byte', async (t) => {
      for (const [name, content] of assets) {
        if (!/\.(js|css|svg)$/.test(name)) continue;
        t.ok(brotliDecompressSync(assets.get(`${name}.br`) ?? '').equals(content), `${name}.br`);
        t.ok(gunzipSync(assets.get(`${name}.gz`) ?? '').equals(content), `${name}.gz`);
      }
    });

    t.test('has a content hash in each file name', async (t) => {
      for (const name of assets.keys()) t.match(name, /-[\w-]{8}\.(js|css|svg|webp|png|woff2)(\.br|\.gz)?$/);
    });

    t.test('preloads existing chunks, including the language of the page', async (t) => {
      for (const language of LANGUAGES) {
        const { html } = await built.entry.render('/plugins/', bootWith({ language }), catalogue);
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
          files.some((file) => file.startsWith(language)),
          `${language}: its texts`,
        );
        t.notMatch(html, /<link rel="stylesheet" href="[^"]+">/, `${language}: no style to wait for`);
      }
    });

    t.test('has no routes of publishers and administrators in the entry scripts of home', async (t) => {
      const routes = /resource-state-list|:plugin_key\/versions/;
      const first = async (path: string): Promise<string> => {
        const { html } = await built.entry.render(path, bootWith(), catalogue);
        return [...html.matchAll(/(?:href|src)="\/plugins\/assets\/([^"]+\.js)"/g)]
          .map(([, name = '']) => assets.get(name)?.toString() ?? '')
          .join('\n');
      };
      t.notMatch(await first('/plugins/'), routes);
      t.match(await first('/plugins/my-plugins'), routes, 'preloaded where needed');
    });

    t.test('preloads the code of the page, found by its folder', async (t) => {
      const PAGES = {
        '/plugins/': 'home-page',
        '/help/1': 'article-page',
        '/plugins/docs/': 'protocol-page',
        '/plugins/403': 'forbidden-page',
        '/plugins/nowhere': 'not-found-page',
        '/plugins/my-plugins/a/versions': 'versions-page',
        '/user/login/reset': 'reset-page',
        '/plugins/backstage-index/tags': 'backstage-page',
      };
      for (const [path, page] of Object.entries(PAGES)) {
        const { html } = await built.entry.render(path, bootWith(), catalogue);
        t.match(html, new RegExp(`<link rel="modulepreload"[^>]* href="/plugins/assets/${page}-`), path);
      }
    });

    t.test('stays within the size budgets of the first view', async (t) => {
      const { html } = await built.entry.render('/plugins/', bootWith(), withPictures);
      const files = [...html.matchAll(/(?:href|src)="\/plugins\/assets\/([^"]+\.js)"/g)].map(
        (match) => match[1] ?? '',
      );
      const idleScripts = scripts.map(([name]) => name).filter((name) => IDLE_SCRIPT.test(name));
      t.ok(idleScripts.length >= 3);
      const weight = (names: readonly string[]): number =>
        names.reduce((sum, name) => sum + (assets.get(`${name}.br`)?.byteLength ?? 0), 0);
      const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
      const taken: Record<keyof typeof BUDGET, number> = {
        scriptsAtFirst: weight(files),
        scriptsInAll: weight([...files, ...idleScripts]),
        style: brotliCompressSync(style).byteLength,
        texts: weight(files.filter((name) => TEXTS.test(name))),
        document: brotliCompressSync(html.replace(style, ''), GATEWAY_COMPRESSION).byteLength,
      };
      for (const [what, bytes] of Object.entries(taken)) t.ok(bytes > 1000, `${what}: ${bytes} bytes`);
      t.strictSame(
        Object.entries(BUDGET).filter(([what, most]) =>
          Object.entries(taken).some(([name, bytes]) => name === what && bytes > most),
        ),
        [],
        JSON.stringify(taken),
      );
    });

    t.test('reports the hash of every inline style and has no inline script', async (t) => {
      const { html } = await built.entry.render('/plugins/', bootWith(), catalogue);
      const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((match) => match[1] ?? '');
      t.equal(styles.length, 1);
      for (const style of styles) {
        const hash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
        t.ok(built.entry.inlineHashes.style.includes(hash));
      }
      const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>/g)].map((match) => match[1] ?? '');
      t.strictSame(inline, [' type="application/ld+json"', ' type="application/json" id="boot"']);
      t.strictSame(built.entry.inlineHashes.script, []);
    });
  });
});

t.test('style sheets', async (t) => {
  const ROOT = fileURLToPath(new URL('../../', import.meta.url));
  const SHEETS = globSync('web/**/*.css', { cwd: ROOT, exclude: ['web/dist/**'] });

  /** Physical properties that have a logical equivalent. */
  const PHYSICAL = [
    /(?:^|[\s;{])(?:(?:scroll-)?(?:margin|padding)|border)-(?:left|right)(?:-[a-z]+)?\s*:/,
    /(?:^|[\s;{])(?:left|right)\s*:/,
    /(?:^|[\s;{])border-(?:top|bottom)-(?:left|right)-radius\s*:/,
    /(?:text-align|float|clear)\s*:\s*(?:left|right)\b/,
  ];
  /** Four values: top, right, bottom and left. Different sides need logical properties. */
  const FOUR = /(?:^|[\s;{])(?:margin|padding|inset|border-width)\s*:\s*([^;]+)/;

  /** The values of a shorthand; spaces inside functions don't separate. */
  function values(text: string): string[] {
    return text.trim().match(/(?:[^\s(]+(?:\((?:[^()]|\([^()]*\))*\))?)+/g) ?? [];
  }

  function isPhysical(line: string): boolean {
    const [, right, , left] = values(FOUR.exec(line)?.[1] ?? '');
    return PHYSICAL.some((pattern) => pattern.test(line)) || (left !== undefined && left !== right);
  }

  t.test('style sheets use logical properties', async (t) => {
    t.ok(SHEETS.length > 100, 'all files are read');
    const found = SHEETS.flatMap((sheet) =>
      readFileSync(`${ROOT}${sheet}`, 'utf8')
        .split('\n')
        .flatMap((line, place) => (isPhysical(line) ? [`${sheet}:${place + 1} ${line.trim()}`] : [])),
    );
    t.strictSame(found, []);
  });

  t.test('physical properties are found', async (t) => {
    for (const line of [
      '  margin-left: 0;',
      'right: 4px;',
      '  border-top-left-radius: 2px;',
      'text-align: right;',
      '  padding: 0 var(--a) 0 calc(1px + var(--b));',
    ])
      t.ok(isPhysical(line), line);
    for (const line of [
      '  inset-inline-end: 4px;',
      'padding: 0 1px 0 1px;',
      'margin: calc(-1 * (1px + 2px)) 0;',
    ])
      t.notOk(isPhysical(line), line);
  });

  t.test(
    'no width follows the digits of a typeface, which another replaces while the page is read',
    async (t) => {
      const found = SHEETS.filter((sheet) =>
        /\d(?:ch|ex|cap|ic)\b/.test(readFileSync(`${ROOT}${sheet}`, 'utf8')),
      );
      t.strictSame(found, []);
    },
  );

  /** Classes that a component uses from its CSS module, and those that exist. */
  function classesOf(component: string): { sheet: string; used: string[]; has: string[] }[] {
    const source = readFileSync(`${ROOT}${component}`, 'utf8');
    return [...source.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)].map(([, name, path]) => {
      const sheet = posix.join(posix.dirname(component), `${path}`);
      const rules = readFileSync(`${ROOT}${sheet}`, 'utf8');
      return {
        sheet,
        used: [...source.matchAll(new RegExp(`\\b${name}\\.(?!(?:module|tsx)\\b)(\\w+)`, 'g'))].map(
          ([, used]) => `${used}`,
        ),
        has: [...rules.matchAll(/\.([a-zA-Z]\w*)/g)].map(([, has]) => `${has}`),
      };
    });
  }

  t.test('classes used by components exist in their CSS modules', async (t) => {
    const components = globSync('web/**/*.tsx', { cwd: ROOT, exclude: ['web/dist/**'] });
    const missing = components.flatMap((component) =>
      classesOf(component).flatMap(({ sheet, used, has }) =>
        used.filter((name) => !has.includes(name)).map((name) => `${component}: .${name} of ${sheet}`),
      ),
    );
    t.strictSame(missing, []);
  });
});
