import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { clampChroma, converter, formatHex, type Oklch, wcagContrast } from 'culori';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Boot } from '../../../shared/boot.ts';
import { BASE_PATH } from '../../../shared/constants.ts';
import { errorCode, startError } from '../../database/errors.ts';
import type { GatewayConfig } from '../options.ts';

const KILOBYTE = 1024;

/** Allowed file types by extension, each with a pattern for the start of its content. */
const LOGOS: Readonly<Record<string, { type: string; starts: RegExp }>> = {
  '.svg': { type: 'image/svg+xml', starts: /^(?:\ufeff)?\s*(?:<\?xml|<!--|<svg)/ },
  '.png': { type: 'image/png', starts: /^\x89PNG/ },
  '.webp': { type: 'image/webp', starts: /^RIFF[\s\S]{4}WEBP/ },
};
const FONTS = { '.woff2': { type: 'font/woff2', starts: /^wOF2/ } };
const LOGO_BYTES_MAX = 256 * KILOBYTE;
const FONT_BYTES_MAX = 1024 * KILOBYTE;

/** An SVG that is opened directly is a document: it must not run anything. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
};

type BrandFile = { path: string; type: string; content: Buffer };

declare module 'fastify' {
  interface FastifyInstance {
    /** The deployment's brand in the boot data; undefined if there is none. */
    brand: Boot['brand'];
  }
}

/** The settings BRAND_NAME, BRAND_COLOR, BRAND_LOGO and BRAND_FONT; files are served under content hashes. */
export const brand = fp(
  async (app: FastifyInstance) => {
    const { name, color, logo, font } = app.gateway.config.brand;
    const [logoFile, fontFile] = await Promise.all([
      logo === undefined ? undefined : readBrandFile('BRAND_LOGO', logo, LOGOS, LOGO_BYTES_MAX),
      font === undefined ? undefined : readBrandFile('BRAND_FONT', font, FONTS, FONT_BYTES_MAX),
    ]);
    const style = brandStyle({ color, fontUrl: fontFile?.path });
    const sheet = style === '' ? undefined : brandFile('.css', 'text/css; charset=utf-8', Buffer.from(style));
    for (const file of [logoFile, fontFile, sheet]) {
      if (file) {
        app.get(file.path, (_request, reply) => reply.headers(HEADERS).type(file.type).send(file.content));
      }
    }
    const boot = {
      ...(name !== undefined && { name }),
      ...(logoFile && { logo: logoFile.path }),
      ...(sheet && { style: sheet.path }),
    };
    app.decorate('brand', Object.keys(boot).length === 0 ? undefined : boot);
  },
  { name: 'brand', dependencies: ['gateway'] },
);

/** @throws StartError with the setting's name if the file cannot be read, is too large or has another type */
async function readBrandFile(
  setting: keyof typeof SETTINGS,
  file: string,
  kinds: Readonly<Record<string, { type: string; starts: RegExp }>>,
  bytesMax: number,
): Promise<BrandFile> {
  const content = await readFile(file).catch((error: unknown) => {
    throw startError(`${setting} ${file} cannot be read (${errorCode(error)}).`, error);
  });
  if (content.length > bytesMax)
    throw startError(`${setting} ${file} is larger than ${bytesMax / KILOBYTE} KiB.`);
  const extension = extname(file).toLowerCase();
  const kind = kinds[extension];
  if (!kind?.starts.test(content.toString('latin1', 0, 512)))
    throw startError(`${setting} ${file} is no ${SETTINGS[setting]} file.`);
  return brandFile(extension, kind.type, content);
}

const SETTINGS = { BRAND_LOGO: 'SVG, PNG or WebP', BRAND_FONT: 'WOFF2' } as const satisfies Partial<
  Record<`BRAND_${Uppercase<keyof GatewayConfig['brand']>}`, string>
>;

function brandFile(extension: string, type: string, content: Buffer): BrandFile {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { path: `${BASE_PATH}brand/${hash}${extension}`, type, content };
}

const toOklch = converter('oklch');

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
const TEXT_CONTRAST = 4.5;
const STEP = 0.005;

/** Backgrounds of text in the brand colour, from web/ui/tokens.css. */
const SURFACES = {
  light: ['#fbfaf7', '#f4f2ed', '#ffffff', '#efece6'],
  dark: ['#131211', '#0d0c0b', '#1e1c1a', '#282522', '#2a2724'],
} as const;

type BrandColors = { brand: string; hover: string; soft: string; on: string };

const hex = (color: Oklch): string => formatHex(clampChroma(color, 'oklch'));

/**
 * The design tokens of a brand colour, as close to it as a contrast of 4.5:1 allows: of brand on every surface and on
 * soft, and of text on brand and hover.
 * @param color #rrggbb
 */
export function brandColors(color: string, scheme: 'light' | 'dark'): BrandColors {
  const { l, c, h = 0 } = toOklch(color) ?? { l: 0.5, c: 0 };
  const at = (lightness: number, chroma = c): string => hex({ mode: 'oklch', l: lightness, c: chroma, h });
  const isLight = scheme === 'light';
  const soft = isLight ? at(0.955, Math.min(c, 0.035)) : at(0.27, Math.min(c, 0.045));
  const on = isLight ? '#ffffff' : at(0.19, Math.min(c, 0.03));
  const step = isLight ? -STEP : STEP;
  const backgrounds = [...SURFACES[scheme], soft, on];
  let lightness = l;
  while (backgrounds.some((color) => wcagContrast(at(lightness), color) < TEXT_CONTRAST)) lightness += step;
  return { brand: at(lightness), hover: at(lightness + 14 * step), soft, on };
}

/** The style sheet of a brand; empty if neither colour nor font is set. */
function brandStyle({
  color,
  fontUrl,
}: {
  color?: string | undefined;
  fontUrl?: string | undefined;
}): string {
  const rules: string[] = [];
  if (fontUrl !== undefined) {
    rules.push(
      `@font-face{font-family:"Brand";font-weight:100 900;font-display:swap;src:url("${fontUrl}") format("woff2")}`,
      ':root{--typeface:"Brand"}',
    );
  }
  if (color !== undefined) {
    const [light, dark] = [brandColors(color, 'light'), brandColors(color, 'dark')];
    const pair = (name: keyof BrandColors): string => `light-dark(${light[name]},${dark[name]})`;
    rules.push(
      `:root{--brand:${pair('brand')};--brand-hover:${pair('hover')};--brand-soft:${pair('soft')};--on-brand:${pair('on')}}`,
    );
  }
  return rules.join('\n');
}
