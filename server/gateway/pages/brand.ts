import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Boot } from '../../../shared/boot.ts';
import { BASE_PATH } from '../../../shared/constants.ts';
import { errorCode, startError } from '../../database/start-error.ts';
import type { GatewayConfig } from '../options.ts';
import { brandStyle } from './brand-colors.ts';

const KILOBYTE = 1024;

/** Files that a brand may have, by their endings, each with how its content begins. */
const LOGOS: Readonly<Record<string, { type: string; starts: RegExp }>> = {
  '.svg': { type: 'image/svg+xml', starts: /^(?:\ufeff)?\s*(?:<\?xml|<!--|<svg)/ },
  '.png': { type: 'image/png', starts: /^\x89PNG/ },
  '.webp': { type: 'image/webp', starts: /^RIFF[\s\S]{4}WEBP/ },
};
const FONTS = { '.woff2': { type: 'font/woff2', starts: /^wOF2/ } };
const LOGO_BYTES_MAX = 256 * KILOBYTE;
const FONT_BYTES_MAX = 1024 * KILOBYTE;

/** A picture opened by itself is a document: it can do nothing. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
};

type BrandFile = { path: string; type: string; content: Buffer };

declare module 'fastify' {
  interface FastifyInstance {
    /** What pages are told of the deployment's brand; undefined: it has none. */
    brand: Boot['brand'];
  }
}

/**
 * The brand of a deployment (settings BRAND_NAME, BRAND_COLOR, BRAND_LOGO, BRAND_FONT): its files, read once, under names of
 * their content, and a style sheet with its colours.
 */
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
    const told = {
      ...(name !== undefined && { name }),
      ...(logoFile && { logo: logoFile.path }),
      ...(sheet && { style: sheet.path }),
    };
    app.decorate('brand', Object.keys(told).length === 0 ? undefined : told);
  },
  { name: 'brand', dependencies: ['gateway'] },
);

/** @throws StartError naming the setting when the file cannot be read, is too large or is of another kind */
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
  const ending = extname(file).toLowerCase();
  const kind = kinds[ending];
  if (!kind?.starts.test(content.toString('latin1', 0, 512)))
    throw startError(`${setting} ${file} is no ${SETTINGS[setting]} file.`);
  return brandFile(ending, kind.type, content);
}

const SETTINGS = { BRAND_LOGO: 'SVG, PNG or WebP', BRAND_FONT: 'WOFF2' } as const satisfies Partial<
  Record<`BRAND_${Uppercase<keyof GatewayConfig['brand']>}`, string>
>;

function brandFile(ending: string, type: string, content: Buffer): BrandFile {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { path: `${BASE_PATH}brand/${hash}${ending}`, type, content };
}
