import { latin1, viewOf } from './binary.ts';
import { brokenContainer } from './broken-container.ts';
import type { ByteSource } from './byte-source.ts';
import { heifSize } from './heif-size.ts';
import { jpegSize } from './jpeg-size.ts';

/** Pixels as the file's header declares them, before any orientation is applied. */
export type PixelSize = {
  width: number;
  height: number;
  /** Bytes of memory that decoding takes for each pixel at most, as measured with libvips. */
  pixelBytes: number;
};

/** Formats that are decoded, as the decoder names them. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'heif';

/** What a header declares, by format; read without decoding anything. Each @throws broken container */
export const SIZE_READERS: Readonly<Record<ImageFormat, (source: ByteSource) => Promise<PixelSize>>> = {
  jpeg: jpegSize,
  png: pngSize,
  webp: webpSize,
  gif: gifSize,
  heif: heifSize,
};

/** One that comes line by line is decoded so; one that comes in seven passes is held as a whole. */
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

/** The three ways that WebP has (RFC 9649 sections 2.5 to 2.7). */
const WEBP_SIZES: Readonly<Record<string, (view: DataView) => Omit<PixelSize, 'pixelBytes'>>> = {
  'VP8 ': (view) => ({ width: view.getUint16(14, true) & 0x3fff, height: view.getUint16(16, true) & 0x3fff }),
  VP8L: (view) => {
    const packed = view.getUint32(9, true);
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  },
  VP8X: (view) => ({ width: twentyFour(view, 12) + 1, height: twentyFour(view, 15) + 1 }),
};

async function webpSize(source: ByteSource): Promise<PixelSize> {
  const view = await viewOf(source, 12, 18);
  const read = WEBP_SIZES[latin1(view, 0, 4)];
  if (!read) throw brokenContainer('no first chunk of WebP');
  return { ...read(view), pixelBytes: 6 };
}

function twentyFour(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}
