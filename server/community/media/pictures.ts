import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { PICTURE_WIDTHS } from '../../../shared/constants.ts';
import type { Picture } from '../../../shared/entities/plugin.ts';
import { appError } from '../../http/errors.ts';
import type { FileStore } from './files.ts';
import { limitTo } from './limiter.ts';

/** Pictures decoded at a time, so that uploads do not take the machine from those who browse. */
const AT_A_TIME = 2;
/** 50 megapixels: larger than any camera picture worth showing, small enough not to exhaust the memory. */
const PIXELS_MAX = 50_000_000;
const QUALITY = 82;
const NARROWEST = 16;
/** What uploads may be. SVG is a document that can run code and load things, so it is none of them. */
const FORMATS: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif', 'heif']);

/** Makes stored pictures of uploaded bytes. */
export type Pictures = {
  /**
   * Decodes a picture, turns it upright, drops its metadata and keeps it as WebP in the widths that pages use,
   * never wider than it came. Files are durable when this resolves; the row is the caller's to write.
   * @throws UNSUPPORTED_MEDIA_TYPE for bytes that are no picture of a known kind, or too many pixels
   */
  keep(bytes: Uint8Array): Promise<Picture>;
};

export function openPictures(files: FileStore): Pictures {
  const limited = limitTo(AT_A_TIME);
  return { keep: (bytes) => limited(() => keep(files, bytes)) };
}

async function keep(files: FileStore, bytes: Uint8Array): Promise<Picture> {
  const key = createHash('sha256').update(bytes).digest('hex');
  const { width, height } = await measure(bytes);
  const upright = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' }).autoOrient();
  const widths = widthsFor(width);
  for (const narrowed of widths) {
    const content = await upright
      .clone()
      .resize({ width: narrowed })
      .webp({ quality: QUALITY })
      .toBuffer()
      .catch(refuse);
    await files.put(`${key}-${narrowed}.webp`, content);
  }
  return { key, width, height, widths };
}

/** Width and height as the picture is seen, after its orientation is applied. */
async function measure(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  if (bytes.length === 0) return refuse(undefined);
  const { format, autoOrient } = await sharp(bytes, { limitInputPixels: PIXELS_MAX })
    .metadata()
    .catch(refuse);
  if (format === undefined || !FORMATS.has(format)) return refuse(undefined);
  if (autoOrient.width * autoOrient.height > PIXELS_MAX) return refuse(undefined);
  return autoOrient;
}

function widthsFor(width: number): number[] {
  const narrower = PICTURE_WIDTHS.filter((candidate) => candidate <= width);
  return narrower.length > 0 ? narrower : [Math.max(width, NARROWEST)];
}

function refuse(cause: unknown): never {
  throw appError('UNSUPPORTED_MEDIA_TYPE', { cause });
}
