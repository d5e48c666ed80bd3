import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import {
  CARD_BYTES_MAX,
  CARD_WIDTH_MAX,
  DECODED_BYTES_MAX,
  ICON_PIXELS_MAX,
  ICON_WIDTHS,
  IMAGE_BYTES_MAX,
  IMAGE_PIXELS_MAX,
  PICTURE_WIDTHS,
} from '../../../../shared/constants.ts';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import { type ErrorCode, isErrorCode } from '../../../../shared/errors.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { type ByteSource, bytesSource } from '../../../../shared/upload/byte-source.ts';
import { checkImage, type ImageKind } from '../../../../shared/upload/image-check.ts';
import { type AppError, appError } from '../../../http/errors.ts';
import type { FileRule, UploadedFile } from '../forms/uploads.ts';
import { type FileStore, withFileSource } from './files.ts';
import { perUserQueue, type Turn } from './limiter.ts';

/** Icons are shown small; QR codes are limited like icons and shown like pictures. */
export type PictureRole = 'icon' | 'picture' | 'code';

/** A row of `picture`; `bytes` is the sum of its files. */
export type StoredPicture = Picture & { bytes: number };

/** A picture that is ready to be stored. */
export type PreparedPicture = { picture: StoredPicture; files: { name: string; content: Uint8Array }[] };

/** A picture by its bytes or by the path of its file. */
export type PictureUpload = {
  content: Uint8Array | string;
  role?: PictureRole;
  /** JSON pointer into the form, for errors. */
  pointer?: string;
};

/** Converts uploaded pictures, outside of the main thread. */
export type Pictures = {
  /**
   * Checks, decodes and encodes a picture; nothing is stored. Each user has one picture at a time, and all together need
   * no more memory than the largest picture.
   * @throws IMAGE_FORMAT, IMAGE_DAMAGED, IMAGE_TOO_LARGE, IMAGE_TOO_MANY_PIXELS; TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE; the
   * signal's reason
   */
  prepare(upload: PictureUpload & Turn): Promise<PreparedPicture>;
  /**
   * Stores the files of a prepared picture durably; the caller inserts the row.
   * @throws STORAGE_FULL
   */
  store(prepared: PreparedPicture): Promise<StoredPicture>;
  /** Prepares and stores a picture. */
  keep(upload: PictureUpload & Turn): Promise<StoredPicture>;
};

const WIDTHS = { icon: ICON_WIDTHS, picture: PICTURE_WIDTHS, code: PICTURE_WIDTHS };
const PIXELS = { icon: ICON_PIXELS_MAX, picture: IMAGE_PIXELS_MAX, code: ICON_PIXELS_MAX };
/** Tried one after the other until a picture is small enough; drawings are at the first. */
const QUALITIES = [82, 74, 66, 58, 50, 42, 34, 26] as const;
const WIDTH_MIN = 16;
/** The longest side that WebP allows. */
const WEBP_SIDE_MAX = 16_383;
/** Encoding needs 20 bytes of memory per pixel, so tall pictures are stored narrower. */
const ENCODED_PIXELS_MAX = 5_000_000;
/** Only malicious pictures take longer, in seconds. */
const TIMEOUT_SECONDS = 30;
/** Hexadecimal digits of a key; a full SHA-256 would make documents larger, since it cannot be compressed. */
const KEY_LENGTH = 32;
/** Large pictures decoded at a time, so that uploads leave the machine to visitors. */
const CONCURRENCY = 2;
/** Maximum number of waiting pictures: of one user, and of all. */
const WAITING_EACH = 20;
const WAITING = 200;

// One thread per picture and no cache keep the memory use constant.
sharp.concurrency(1);
sharp.cache(false);

export function openPictures(files: FileStore): Pictures {
  const runLimited = perUserQueue({ size: DECODED_BYTES_MAX, waiting: WAITING, waitingEach: WAITING_EACH });
  const prepare: Pictures['prepare'] = async (upload) => {
    const { width, height, pixelBytes } = await checkHead(upload);
    const cost = Math.max(DECODED_BYTES_MAX / CONCURRENCY, width * height * pixelBytes);
    return runLimited({ ...upload, cost }, () => preparePicture(upload));
  };
  const store: Pictures['store'] = async ({ picture, files: encoded }) => {
    for (const { name, content } of encoded) await files.put(name, content);
    return picture;
  };
  return { prepare, store, keep: async (upload) => store(await prepare(upload)) };
}

/** The file rule of one picture in a form. */
export const ONE_PICTURE: FileRule = { count: 1, bytes: IMAGE_BYTES_MAX, tooLarge: 'IMAGE_TOO_LARGE' };

/**
 * Stores the picture of a form durably, if it has one; the caller inserts the row.
 * @throws IMAGE_FORMAT, IMAGE_DAMAGED, IMAGE_TOO_LARGE, IMAGE_TOO_MANY_PIXELS, STORAGE_FULL; TOO_MANY_REQUESTS
 */
export async function storeUploadedPicture(
  pictures: Pictures,
  file: UploadedFile | undefined,
  options: Turn & { role?: PictureRole },
): Promise<StoredPicture | undefined> {
  return file && pictures.keep({ ...options, content: file.path, pointer: `/${file.field}` });
}

/** Checks the head of a picture without decoding it. */
async function checkHead({ content, role = 'picture', pointer = '' }: PictureUpload): Promise<ImageKind> {
  const check = (source: ByteSource) => checkImage(source, pointer, PIXELS[role]);
  const checked = await (typeof content === 'string'
    ? withFileSource(content, check)
    : check(bytesSource(content)));
  if ('code' in checked) throw mediaError(checked, 'IMAGE_FORMAT');
  return checked;
}

/**
 * Decodes a checked picture, rotates it upright, drops its metadata and encodes WebP files in the widths of its role, never
 * wider than the original. Animated pictures become their first image. Of a cut or damaged picture it keeps what it can
 * decode, as browsers do. Nothing is stored.
 * @throws IMAGE_DAMAGED, or IMAGE_FORMAT for a picture that is too tall, with the finding
 */
export async function preparePicture(upload: PictureUpload): Promise<PreparedPicture> {
  const { content, role = 'picture', pointer = '' } = upload;
  const bytes = typeof content === 'string' ? await readFile(content) : content;
  return encode(bytes, role).catch((cause) => {
    const code = cause instanceof RangeError ? 'IMAGE_FORMAT' : 'IMAGE_DAMAGED';
    throw Object.assign(mediaError(finding(code, { pointer }), code), { cause });
  });
}

async function encode(bytes: Uint8Array, role: PictureRole): Promise<PreparedPicture> {
  const key = pictureKey(bytes, role);
  const input = sharp(asStill(bytes), { limitInputPixels: PIXELS[role], failOn: 'none' });
  const { width, height } = (await input.metadata()).autoOrient;
  const widths = widthsOf(width, height, role);
  const widest = Math.max(...widths);
  if ((height / width) * widest > WEBP_SIDE_MAX)
    throw new RangeError('the picture is too tall for its width');
  const { data, info } = await input
    .autoOrient()
    .resize({ width: widest })
    .toColourspace('srgb')
    .timeout({ seconds: TIMEOUT_SECONDS })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const files = [];
  for (const narrower of widths) {
    const content = await encodeWidth(sharp(data, { raw }).resize({ width: narrower }), narrower);
    files.push({ name: `${key}-${narrower}.webp`, content });
  }
  const total = files.reduce((sum, { content }) => sum + content.length, 0);
  return { picture: { key, width, height, widths, bytes: total }, files };
}

/** Brand of an animated AVIF, at its place in the file (AV1 Image File Format section 6.3). */
const ANIMATED = { at: 8, brand: 'avis' };

/** libvips decodes the still image that an animated AVIF has too, but only if the first brand is that of a still one. */
function asStill(bytes: Uint8Array): Uint8Array {
  const { at, brand } = ANIMATED;
  if (Buffer.from(bytes.subarray(at, at + brand.length)).toString('latin1') !== brand) return bytes;
  const still = Buffer.from(bytes);
  still.write('avif', at, 'latin1');
  return still;
}

/** The same bytes in another role have other widths, so they get another key. */
function pictureKey(bytes: Uint8Array, role: PictureRole): string {
  const hash = createHash('sha256');
  if (role !== 'picture') hash.update(`${role}\n`);
  return hash.update(bytes).digest('hex').slice(0, KEY_LENGTH);
}

/** Lists show many small pictures at a time, so these have a limit of bytes. */
async function encodeWidth(resized: Sharp, width: number): Promise<Buffer> {
  const [best, ...lower] = QUALITIES;
  const withQuality = (quality: number): Promise<Buffer> =>
    resized.clone().webp({ quality }).timeout({ seconds: TIMEOUT_SECONDS }).toBuffer();
  let encoded = await withQuality(best);
  for (const quality of width <= CARD_WIDTH_MAX ? lower : []) {
    if (encoded.length <= CARD_BYTES_MAX) break;
    encoded = await withQuality(quality);
  }
  return encoded;
}

function widthsOf(width: number, height: number, role: PictureRole): number[] {
  const widths = WIDTHS[role].filter(
    (candidate) => candidate <= width && candidate * candidate * (height / width) <= ENCODED_PIXELS_MAX,
  );
  return widths.length > 0 ? widths : [Math.max(width, WIDTH_MIN)];
}

/** The error for a rejected picture or video, with the finding in its details. */
export function mediaError(found: Finding, otherwise: ErrorCode): AppError {
  const code = isErrorCode(found.code) ? found.code : otherwise;
  return appError(code, { details: [found], ...(found.params && { params: found.params }) });
}
