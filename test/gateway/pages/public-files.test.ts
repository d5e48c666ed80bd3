import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { brandColors } from '../../../server/gateway/pages/brand.ts';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';

t.test('public files', async (t) => {
  t.test('assets are immutable and served pre-compressed', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const plain = await browser.visit('/plugins/assets/main-1a2b3c.js');
    t.equal(plain.status, 200);
    t.match(plain.headers['content-type'], 'javascript');
    t.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    t.equal(plain.headers['x-content-type-options'], 'nosniff');
    t.strictSame(plain.setCookies, []);
    const packed = await browser.visit('/plugins/assets/main-1a2b3c.js', {
      headers: { 'accept-encoding': 'gzip, br' },
    });
    t.equal(packed.headers['content-encoding'], 'br');
    t.match(packed.headers['content-type'], 'javascript');
    t.equal(brotliDecompressSync(packed.bytes).toString(), plain.text);
    t.equal(plain.headers.vary, 'Accept-Encoding');
    t.equal(packed.headers.vary, 'Accept-Encoding');
    const { etag = '' } = plain.headers;
    const unchanged = await browser.visit('/plugins/assets/main-1a2b3c.js', {
      headers: { 'if-none-match': etag },
    });
    t.equal(unchanged.status, 304);
    t.equal(unchanged.headers.vary, 'Accept-Encoding');
  });

  t.test('R 10.12: a missing asset is 404, never a page', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    for (const path of [
      '/plugins/assets/missing.js',
      '/plugins/assets/',
      '/plugins/assets/fonts',
      '/plugins/assets/fonts/',
      '/plugins/assets/index.html',
      '/plugins/assets/.hidden',
      '/plugins/assets/main-1a2b3c.js/',
      '/plugins/assets/main-1a2b3c.js.br',
      '/robots.ico',
    ]) {
      const answer = await browser.visit(path);
      t.equal(answer.status, 404, path);
      t.equal(answer.json().code, 'NOT_FOUND');
      t.equal(answer.headers['cache-control'], 'no-store');
    }
  });

  t.test('other public files of the build are served, and no others', async (t) => {
    const gateway = await startGateway(t);
    const browser = gateway.browser();
    const answer = await browser.visit('/plugins/humans.txt');
    t.equal(answer.status, 200);
    t.equal(answer.text, 'Made by people.\n');
    t.equal(answer.headers['cache-control'], 'public, max-age=3600');
    t.equal(answer.headers.vary, 'Accept-Encoding');
    t.equal((await browser.visit('/humans.txt')).status, 404, 'the root belongs to the main site');
    t.equal((await browser.visit('/favicon.ico')).text, 'icon', 'browsers look for it there');
    t.notMatch((await browser.visit('/plugins/index.html')).text, 'not to be served');
  });
});

t.test('brand', async (t) => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>';

  async function folder(
    test: { teardown(work: () => Promise<void>): void },
    files: Record<string, string | Buffer>,
  ): Promise<string> {
    const dir = await mkdtemp(join(tmpdir(), 'brand-'));
    test.teardown(() => rm(dir, { recursive: true }));
    for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content);
    return dir;
  }

  t.test('a deployment has its own name, colour, logo and typeface', async (t) => {
    const dir = await folder(t, { 'logo.svg': SVG, 'face.woff2': Buffer.from('wOF2 and so on') });
    const boots: unknown[] = [];
    const gateway = await startGateway(t, {
      settings: {
        BRAND_NAME: 'Atelier',
        BRAND_COLOR: '#7A1FA2',
        BRAND_LOGO: join(dir, 'logo.svg'),
        BRAND_FONT: join(dir, 'face.woff2'),
      },
      entry: {
        render: async (_url, boot) => {
          boots.push(boot.brand);
          return { status: 200, html: '<!doctype html>' };
        },
      },
    });
    t.equal((await fetch(`${gateway.url}/plugins/`)).status, 200);
    const [brand] = boots as [{ name: string; logo: string; style: string }];
    t.equal(brand.name, 'Atelier');
    t.match(brand.logo, /^\/plugins\/brand\/[0-9a-f]{16}\.svg$/);
    t.match(brand.style, /^\/plugins\/brand\/[0-9a-f]{16}\.css$/);

    const icon = await fetch(`${gateway.url}/favicon.ico`, { redirect: 'manual' });
    t.strictSame([icon.status, icon.headers.get('location')], [302, brand.logo]);
    const logo = await fetch(gateway.url + brand.logo);
    t.equal(await logo.text(), SVG);
    t.strictSame(
      ['content-type', 'cache-control', 'content-security-policy', 'x-content-type-options'].map((name) =>
        logo.headers.get(name),
      ),
      [
        'image/svg+xml',
        'public, max-age=31536000, immutable',
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'nosniff',
      ],
      'opened directly it cannot run anything',
    );
    const style = await fetch(gateway.url + brand.style);
    t.equal(style.headers.get('content-type'), 'text/css; charset=utf-8');
    const css = await style.text();
    t.match(css, /:root\{--brand:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\);--brand-hover:/);
    const [, font = ''] = /url\("([^"]+)"\)/.exec(css) ?? [];
    t.match(font, /^\/plugins\/brand\/[0-9a-f]{16}\.woff2$/);
    t.equal((await fetch(gateway.url + font)).headers.get('content-type'), 'font/woff2');
  });

  t.test('without settings there is no brand', async (t) => {
    const boots: unknown[] = [];
    const gateway = await startGateway(t, {
      entry: {
        render: async (_url, boot) => {
          boots.push('brand' in boot);
          return { status: 200, html: '<!doctype html>' };
        },
      },
    });
    await fetch(`${gateway.url}/plugins/`);
    t.strictSame(boots, [false]);
  });

  t.test('an invalid brand stops the start with the reason', async (t) => {
    const dir = await folder(t, {
      'logo.svg': 'GIF89a',
      'logo.gif': 'GIF89a',
      'large.png': Buffer.concat([Buffer.from('\x89PNG', 'latin1'), Buffer.alloc(256 * 1024)]),
      'face.woff2': 'wOFF',
    });
    const cases: [settings: Record<string, string>, message: RegExp][] = [
      [{ BRAND_COLOR: 'green' }, /^BRAND_COLOR must be a colour such as #00694b\.$/],
      [{ BRAND_COLOR: '#12345' }, /^BRAND_COLOR must be a colour such as #00694b\.$/],
      [{ BRAND_LOGO: join(dir, 'none.svg') }, /^BRAND_LOGO .*none\.svg cannot be read \(ENOENT\)\.$/],
      [{ BRAND_LOGO: join(dir, 'logo.svg') }, /^BRAND_LOGO .*logo\.svg is no SVG, PNG or WebP file\.$/],
      [{ BRAND_LOGO: join(dir, 'logo.gif') }, /^BRAND_LOGO .*logo\.gif is no SVG, PNG or WebP file\.$/],
      [{ BRAND_LOGO: join(dir, 'large.png') }, /^BRAND_LOGO .*large\.png is larger than 256 KiB\.$/],
      [{ BRAND_FONT: join(dir, 'face.woff2') }, /^BRAND_FONT .*face\.woff2 is no WOFF2 file\.$/],
    ];
    for (const [settings, message] of cases) await t.rejects(startGateway(t, { settings }), { message });
  });

  /** Relative luminance and contrast as defined in WCAG 2.2. */
  function luminance(color: string): number {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function contrast(one: string, other: string): number {
    const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  t.test('any colour is adjusted to the required contrast', (t) => {
    const surfaces = {
      light: ['#fbfaf7', '#f4f2ed', '#ffffff', '#efece6'],
      dark: ['#131211', '#0d0c0b', '#1e1c1a', '#282522', '#2a2724'],
    };
    const check = (color: string): void => {
      for (const scheme of ['light', 'dark'] as const) {
        const { brand, hover, soft, on } = brandColors(color, scheme);
        const pairs = [...surfaces[scheme], soft].map((ground) => [brand, ground] as const);
        for (const [text, ground] of [...pairs, [on, brand] as const, [on, hover] as const]) {
          const ratio = contrast(text, ground);
          if (ratio < 4.5) throw new Error(`${color} ${scheme}: ${text} on ${ground} is ${ratio}`);
        }
      }
    };
    for (const color of [
      '#000000',
      '#ffffff',
      '#808080',
      '#ffff00',
      '#ffe600',
      '#ff0000',
      '#00ff00',
      '#0000ff',
    ])
      check(color);
    const colors = fc
      .integer({ min: 0, max: 0xffffff })
      .map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(fc.property(colors, check), { numRuns: 300 });
    t.equal(brandColors('#00694b', 'light').brand, '#00694b', 'a colour with enough contrast is unchanged');
    t.end();
  });
});

t.test('robots.txt and sitemap', async (t) => {
  const SITE = { PUBLIC_URL: 'https://square.example' };

  t.test('robots.txt names the sitemap, at the root and below the base path', async (t) => {
    const gateway = await startGateway(t, { settings: SITE });
    for (const path of ['/robots.txt', '/plugins/robots.txt']) {
      const answer = await gateway.browser().visit(path);
      t.equal(answer.status, 200);
      t.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
      t.equal(answer.headers['cache-control'], 'public, max-age=3600');
      t.match(answer.text, /^User-agent: \*\nDisallow: \/api\/auth\/\nDisallow: \/user\/\n/);
      t.match(answer.text, '\nSitemap: https://square.example/plugins/sitemap.xml\n');
    }
  });

  t.test('private and dev sites refuse search engines', async (t) => {
    for (const DEPLOY_TYPE of ['pri', 'cluster', 'dev']) {
      const gateway = await startGateway(t, { settings: { ...SITE, DEPLOY_TYPE } });
      t.equal(
        (await gateway.browser().visit('/robots.txt')).text,
        'User-agent: *\nDisallow: /\n',
        DEPLOY_TYPE,
      );
      t.equal((await gateway.browser().visit('/sitemap.xml')).status, 404);
      await gateway.browser().visit('/plugins/sitemap-0.xml');
      t.strictSame(gateway.community.requests, [], 'no request');
    }
  });

  async function withPlugins(t: Parameters<typeof startGateway>[0], settings: Record<string, string> = {}) {
    const gateway = await startGateway(t, { settings: { ...SITE, ...settings } });
    gateway.community.on('GET /api/cmt/plugin/sitemap/ranges', () => ({ range_list: [0, 3] }));
    gateway.community.on('GET /api/cmt/plugin/sitemap', ({ query }) => ({
      plugin_list:
        query.get('range') === '3'
          ? [{ plugin_key: 'grid-maker', updated_at: '2026-01-02T03:04:05.000Z' }]
          : [],
    }));
    return gateway;
  }

  t.test('the index lists a sitemap of pages and one for each range', async (t) => {
    const gateway = await withPlugins(t);
    for (const path of ['/sitemap.xml', '/plugins/sitemap.xml']) {
      const answer = await gateway.browser().visit(path);
      t.equal(answer.status, 200);
      t.equal(answer.headers['content-type'], 'application/xml; charset=utf-8');
      t.match(answer.text, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<sitemapindex /);
      t.strictSame(
        [...answer.text.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => match[1]),
        ['pages', '0', '3'].map((name) => `https://square.example/plugins/sitemap-${name}.xml`),
      );
    }
    t.equal(gateway.community.seen('GET /api/cmt/plugin/sitemap/ranges').length, 1, 'kept');
  });

  t.test('a sitemap names every language of its pages', async (t) => {
    const gateway = await withPlugins(t, { DEPLOY_TYPE: 'overseas' });
    const own = (await gateway.browser().visit('/plugins/sitemap-pages.xml')).text;
    t.match(own, '<loc>https://square.example/plugins/</loc>');
    t.match(own, '<loc>https://square.example/plugins/protocol</loc>');
    t.match(own, '<loc>https://square.example/plugins/docs/</loc>');
    const { text } = await gateway.browser().visit('/plugins/sitemap-3.xml');
    t.match(
      text,
      '<url><loc>https://square.example/plugins/plugin/grid-maker</loc><lastmod>2026-01-02T03:04:05.000Z</lastmod>',
    );
    t.strictSame(
      [...text.matchAll(/hreflang="([^"]*)" href="([^"]*)"/g)].map((match) => match.slice(1)),
      [
        ...['en', 'jp', 'kr', 'ru', 'es'].map((value, at) => [
          ['en', 'ja', 'ko', 'ru', 'es'][at],
          `https://square.example/plugins/plugin/grid-maker?lang=${value}`,
        ]),
        ['x-default', 'https://square.example/plugins/plugin/grid-maker'],
      ],
    );
    t.equal(text.match(/<url>/g)?.length, text.match(/<\/url>/g)?.length);
  });

  t.test('service data cannot break the XML', async (t) => {
    const gateway = await withPlugins(t);
    gateway.community.on('GET /api/cmt/plugin/sitemap', () => ({
      plugin_list: [{ plugin_key: '"><x&/../a', updated_at: '</lastmod><x>' }, { plugin_key: 7 }, null, 'x'],
    }));
    const { text } = await gateway.browser().visit('/plugins/sitemap-3.xml');
    t.notMatch(text, /<x[>&]/);
    t.match(text, '/plugins/plugin/%22%3E%3Cx%26%2F..%2Fa</loc>');
    t.match(text, '<lastmod>&lt;/lastmod&gt;&lt;x&gt;</lastmod>');
    t.equal(text.match(/<url>/g)?.length, 1);
    t.equal(escapeMarkup(`<a b='"&">`), '&lt;a b=&#39;&quot;&amp;&quot;&gt;');
  });

  t.test('an empty sitemap is 404', async (t) => {
    const gateway = await withPlugins(t);
    for (const name of ['0', '-1', '01', '1e3', '100000', 'x', '%2e%2e']) {
      t.equal((await gateway.browser().visit(`/plugins/sitemap-${name}.xml`)).status, 404, name);
    }
    const asked = gateway.community
      .seen('GET /api/cmt/plugin/sitemap')
      .map(({ query }) => query.get('range'));
    t.strictSame(asked, ['0'], 'invalid names are not requested');
  });

  t.test('a service without these calls, or failing', async (t) => {
    const gateway = await startGateway(t, { settings: SITE });
    const bare = await gateway.browser().visit('/sitemap.xml');
    t.equal(bare.status, 200);
    t.equal(bare.text.match(/<loc>/g)?.length, 1, 'the pages of the site itself');
    const failing = await startGateway(t, { settings: SITE });
    failing.community.on('GET /api/cmt/plugin/sitemap/ranges', () => stubAnswer(500, 'oops'));
    const failed = await failing.browser().visit('/sitemap.xml');
    t.equal(failed.status, 502);
    t.equal(failed.json().code, 'UPSTREAM_INVALID');
  });
});
