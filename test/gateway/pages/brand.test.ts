import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { brandColors } from '../../../server/gateway/pages/brand.ts';
import { startGateway } from '../../support/gateway.ts';

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
