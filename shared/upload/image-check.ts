import { DECODED_BYTES_MAX, IMAGE_BYTES_MAX, IMAGE_PIXELS_MAX } from '../constants.ts';
import type { Finding } from '../entities/finding.ts';
import { finding } from '../package/finding-codes.ts';
import { inMegabytes } from '../package/limits.ts';
import { type ByteSource, fileKindOf, isBrokenContainer, readAhead } from './byte-source.ts';
import { type ImageFormat, type PixelSize, SIZE_READERS } from './image-size.ts';

/** A picture that may be decoded, with the pixels its header declares. */
export type ImageKind = { kind: 'image'; format: ImageFormat } & PixelSize;

/**
 * What may be submitted, by what the content tells. SVG is none of them: it is a document that can run code and load
 * things. BMP, TIFF, ICO and PSD are nothing that pages are made of.
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
 * Checks a picture by its content: format, bytes (specification section 5) and declared pixels, so that one that would
 * take the memory is refused before anything is decoded. The same check serves form and server; whether the picture can
 * be decoded to its end, the server finds out.
 * @param pointer where the form has it
 * @param pixels it may have; less where its kind takes more memory for each
 */
export async function checkImage(
  source: ByteSource,
  pointer = '',
  pixels = IMAGE_PIXELS_MAX,
): Promise<Finding | ImageKind> {
  const head = await fileKindOf(source);
  const format = FORMATS.get(head?.ext ?? '');
  if (!format) return finding('IMAGE_FORMAT', { pointer });
  if (source.size > IMAGE_BYTES_MAX) {
    return finding('IMAGE_TOO_LARGE', { pointer }, { size: inMegabytes(IMAGE_BYTES_MAX) });
  }
  const size = await declaredSize(source, format);
  if (!size) return finding('IMAGE_FORMAT', { pointer });
  const most = Math.min(pixels, DECODED_BYTES_MAX / size.pixelBytes);
  if (size.width * size.height > most) {
    const limit = Math.floor((most / MILLION) * 10) / 10;
    return finding('IMAGE_TOO_MANY_PIXELS', { pointer }, { limit: String(limit) });
  }
  return { kind: 'image', format, ...size };
}

async function declaredSize(source: ByteSource, format: ImageFormat): Promise<PixelSize | undefined> {
  try {
    const size = await SIZE_READERS[format](readAhead(source));
    return size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    if (!isBrokenContainer(error)) throw error;
    return undefined;
  }
}
