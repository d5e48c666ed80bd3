import { DECODED_BYTES_MAX, IMAGE_BYTES_MAX, IMAGE_PIXELS_MAX } from '../constants.ts';
import type { Finding } from '../entities/finding.ts';
import { finding } from '../package/finding-codes.ts';
import { inMegabytes } from '../package/package.ts';
import { type Box, boxAtPath, boxesIn, boxesOf } from './boxes.ts';
import {
  type ByteSource,
  brokenContainer,
  fileKindOf,
  isBrokenContainer,
  latin1,
  readAhead,
  viewOf,
} from './byte-source.ts';

/** An image that may be decoded, with the size in its header. */
export type ImageKind = { kind: 'image'; format: ImageFormat } & PixelSize;

/**
 * Accepted formats, by detected extension. SVG is refused because it can run scripts and load resources; BMP, TIFF, ICO
 * and PSD are no formats of web pages.
 */
const FORMATS: ReadonlyMap<string, ImageFormat> = new Map([
  ['jpg', 'jpeg'],
  ['png', 'png'],
  ['apng', 'png'],
  ['webp', 'webp'],
  ['gif', 'gif'],
  ['avif', 'heif'],
  ['heic', 'heif'],
]);

const MILLION = 1_000_000;

/**
 * Checks an image by its content: format, size in bytes (R 5.7) and declared pixels, so that an image
 * that would exhaust the memory is refused before it is decoded. Form and server use the same check; only the server
 * decodes the image.
 * @param pointer place in the form
 * @param pixels limit; less for formats that need more memory per pixel
 */
export async function checkImage(
  source: ByteSource,
  pointer = '',
  pixels = IMAGE_PIXELS_MAX,
): Promise<Finding | ImageKind> {
  const format = await formatOf(source);
  if (!format) return finding('IMAGE_FORMAT', { pointer });
  if (source.size > IMAGE_BYTES_MAX) {
    return finding('IMAGE_TOO_LARGE', { pointer }, { size: inMegabytes(IMAGE_BYTES_MAX) });
  }
  const size = await declaredSize(source, format);
  if (size === 'foreign') return finding('IMAGE_FORMAT', { pointer });
  if (size === 'damaged') return finding('IMAGE_DAMAGED', { pointer });
  const most = Math.min(pixels, DECODED_BYTES_MAX / size.pixelBytes);
  if (size.width * size.height > most) {
    const limit = Math.floor((most / MILLION) * 10) / 10;
    return finding('IMAGE_TOO_MANY_PIXELS', { pointer }, { limit: String(limit) });
  }
  return { kind: 'image', format, ...size };
}

const START_OF_IMAGE = [0xff, 0xd8] as const;

async function formatOf(source: ByteSource): Promise<ImageFormat | undefined> {
  const format = FORMATS.get((await fileKindOf(source))?.ext ?? '');
  if (format) return format;
  // Stray bytes may follow the first marker of a JPEG.
  const start = await source.read(0, START_OF_IMAGE.length);
  return START_OF_IMAGE.every((byte, place) => start[place] === byte) ? 'jpeg' : undefined;
}

async function declaredSize(
  source: ByteSource,
  format: ImageFormat,
): Promise<PixelSize | 'foreign' | 'damaged'> {
  try {
    const size = await SIZE_READERS[format](readAhead(source));
    return size === 'foreign' || (size.width > 0 && size.height > 0) ? size : 'damaged';
  } catch (error) {
    if (!isBrokenContainer(error)) throw error;
    return 'damaged';
  }
}

/** Size in pixels as declared in the header, before any rotation. */
type PixelSize = {
  width: number;
  height: number;
  /** Most bytes of memory that libvips needs per pixel to decode it, as measured. */
  pixelBytes: number;
};

/** Accepted formats by their names in sharp. */
type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'heif';

/** Readers of headers, by format; 'foreign' for a codec that the server does not decode. Each @throws broken container */
const SIZE_READERS: Readonly<Record<ImageFormat, (source: ByteSource) => Promise<PixelSize | 'foreign'>>> = {
  jpeg: jpegSize,
  png: pngSize,
  webp: webpSize,
  gif: gifSize,
  heif: heifSize,
};

/** A PNG is decoded line by line, unless it is interlaced: then libvips holds all of it in memory. */
async function pngSize(source: ByteSource): Promise<PixelSize> {
  const view = await viewOf(source, 12, 17);
  if (latin1(view, 0, 4) !== 'IHDR') throw brokenContainer('no header chunk of PNG');
  const isInterlaced = view.getUint8(16) !== 0;
  const whole = view.getUint8(12) === 16 ? 11 : 6;
  return { width: view.getUint32(4), height: view.getUint32(8), pixelBytes: isInterlaced ? whole : 2 };
}

async function gifSize(source: ByteSource): Promise<PixelSize> {
  const view = await viewOf(source, 6, 4);
  return { width: view.getUint16(0, true), height: view.getUint16(2, true), pixelBytes: 6.5 };
}

/** The three kinds of first chunks (RFC 9649 sections 2.5 to 2.7). */
const WEBP_SIZES: Readonly<Record<string, (view: DataView) => Omit<PixelSize, 'pixelBytes'>>> = {
  'VP8 ': (view) => ({ width: view.getUint16(14, true) & 0x3fff, height: view.getUint16(16, true) & 0x3fff }),
  VP8L: (view) => {
    const packed = view.getUint32(9, true);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  },
  VP8X: (view) => ({ width: uint24(view, 12) + 1, height: uint24(view, 15) + 1 }),
};

async function webpSize(source: ByteSource): Promise<PixelSize> {
  const view = await viewOf(source, 12, 18);
  const read = WEBP_SIZES[latin1(view, 0, 4)];
  if (!read) throw brokenContainer('no first chunk of WebP');
  return { ...read(view), pixelBytes: 6 };
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}

/** More than programs write, and few enough to be read quickly. */
const SEGMENTS_MAX = 20_000;
/** By number of colour components. A progressive JPEG is held in memory as a whole, and any JPEG may be one. */
const JPEG_PIXEL_BYTES = { three: 6.5, four: 9 };
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
/** Markers between 0xc0 and 0xcf that do not start a frame header. */
const NO_FRAMES: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

/** Reads the frame header (ITU-T T.81 section B.2.2). @throws broken container if there is none */
async function jpegSize(source: ByteSource): Promise<PixelSize> {
  let at: number = START_OF_IMAGE.length;
  for (let count = 0; count < SEGMENTS_MAX; count += 1) {
    const { code, end } = await markerAfter(source, at);
    at = end;
    if (code === START_OF_SCAN || code === END_OF_IMAGE) break;
    if (code >= 0xc0 && code <= 0xcf && !NO_FRAMES.has(code)) {
      const frame = await viewOf(source, at + 3, 5);
      const pixelBytes = frame.getUint8(4) > 3 ? JPEG_PIXEL_BYTES.four : JPEG_PIXEL_BYTES.three;
      return { width: frame.getUint16(2), height: frame.getUint16(0), pixelBytes };
    }
    if (!isBare(code)) at += (await viewOf(source, at, 2)).getUint16(0);
  }
  throw brokenContainer('no frame header');
}

/** Markers without a length: TEM, and the restarts of a scan (section B.1.1.3). */
function isBare(code: number): boolean {
  return code === 0x01 || (code >= 0xd0 && code <= 0xd7);
}

const STRAY_AT_A_TIME = 256;

/** The next marker; like decoders, it skips fill bytes and what else programs leave between two segments. */
async function markerAfter(source: ByteSource, start: number): Promise<{ code: number; end: number }> {
  let isEscaped = false;
  for (let at = start; ; at += STRAY_AT_A_TIME) {
    const bytes = await source.read(at, STRAY_AT_A_TIME);
    if (bytes.length === 0) throw brokenContainer('no marker');
    for (const [place, code] of bytes.entries()) {
      if (isEscaped && code !== 0x00 && code !== 0xff) return { code, end: at + place + 1 };
      isEscaped = code === 0xff;
    }
  }
}

/** By bit depth. Decoder, container and result each hold a copy of the planes. */
const HEIF_PIXEL_BYTES = { eight: 19, more: 25 };
/** Flag of a bit depth above eight (AV1 Codec ISO Media File Format Binding section 2.3.3). */
const HIGH_BIT_DEPTH = { at: 2, bit: 0x40 };
/** Length of version and flags at the start of a full box. */
const FULL = 4;

/**
 * Reads the largest of the spatial extents (ISO/IEC 23008-12 section 6.5.3).
 * @returns 'foreign' if nothing is coded in AV1, as in HEIC
 * @throws broken container
 */
async function heifSize(source: ByteSource): Promise<PixelSize | 'foreign'> {
  const properties = await propertiesOf(source);
  if (!properties) throw brokenContainer('no properties');
  const codings = await boxesOf(source, properties, 'av1C');
  if (codings.length === 0) return 'foreign';
  let pixelBytes = HEIF_PIXEL_BYTES.eight;
  for (const { content } of codings) {
    const bits = (await viewOf(source, content + HIGH_BIT_DEPTH.at, 1)).getUint8(0);
    if (bits & HIGH_BIT_DEPTH.bit) pixelBytes = HEIF_PIXEL_BYTES.more;
  }
  let largest = { width: 0, height: 0, pixelBytes };
  for (const extent of await boxesOf(source, properties, 'ispe')) {
    const view = await viewOf(source, extent.content + FULL, 8);
    const size = { width: view.getUint32(0), height: view.getUint32(4), pixelBytes };
    if (size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}

async function propertiesOf(source: ByteSource): Promise<Box | undefined> {
  for await (const box of boxesIn(source, { start: 0, end: source.size })) {
    if (box.type === 'meta') {
      const inside = { ...box, content: box.content + FULL };
      return boxAtPath(source, inside, ['iprp', 'ipco']);
    }
  }
  return undefined;
}
