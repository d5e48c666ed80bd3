import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import sharp, { type OutputInfo } from 'sharp';
import {
  CARD_BYTES_MAX,
  CARD_WIDTH_MAX,
  ICON_PIXELS_MAX,
  ICON_WIDTHS,
  IMAGE_PIXELS_MAX,
  PICTURE_WIDTHS,
} from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import type { Picture } from '../../../shared/entities/plugin.ts';
import { type ErrorCode, isErrorCode } from '../../../shared/errors.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import { type ByteSource, bytesSource } from '../../../shared/upload/byte-source.ts';
import { checkImage, type ImageKind } from '../../../shared/upload/image-check.ts';
import { type AppError, appError } from '../../http/errors.ts';
import { withFileSource } from './file-source.ts';

/** What a picture is for: icons are shown small, and codes are small pictures. */
export type PictureRole = 'icon' | 'picture' | 'code';

/** A picture as its row has it; `bytes` is what its files take together. */
export type KeptPicture = Picture & { bytes: number };

/** A picture ready to be stored. */
export type PreparedPicture = { picture: KeptPicture; files: { name: string; content: Uint8Array }[] };

/** A picture of a form, by its bytes or by the file they lie in. */
export type PictureUpload = {
  content: Uint8Array | string;
  role?: PictureRole;
  /** Where the form has it, told when it is refused. */
  pointer?: string;
};

const WIDTHS: Readonly<Record<PictureRole, readonly number[]>> = {
  icon: ICON_WIDTHS,
  picture: PICTURE_WIDTHS,
  code: PICTURE_WIDTHS,
};
const PIXELS: Readonly<Record<PictureRole, number>> = {
  icon: ICON_PIXELS_MAX,
  picture: IMAGE_PIXELS_MAX,
  code: ICON_PIXELS_MAX,
};
/** Qualities a picture is tried in until it is small enough; what is drawn is so at the first. */
const QUALITIES = [82, 74, 66, 58, 50, 42, 34, 26] as const;
const NARROWEST = 16;
/** WebP has no picture with a longer side. */
const WEBP_SIDE_MAX = 16_383;
/** Pixels of the largest that is made: encoding takes 20 bytes of memory for each, and tall pictures come narrower. */
const MADE_PIXELS_MAX = 5_000_000;
/** A picture that takes longer than this, seconds, was made to. */
const TIMEOUT_SECONDS = 30;

// One picture is worked on by one thread, and nothing decoded stays behind: memory is the same after a thousand.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Checks what the head of a picture tells, without decoding anything.
 * @throws IMAGE_FORMAT, IMAGE_TOO_LARGE, IMAGE_TOO_MANY_PIXELS with the finding
 */
export async function checkHead({
  content,
  role = 'picture',
  pointer = '',
}: PictureUpload): Promise<ImageKind> {
  const check = (source: ByteSource) => checkImage(source, pointer, PIXELS[role]);
  const checked = await (typeof content === 'string'
    ? withFileSource(content, check)
    : check(bytesSource(content)));
  if ('code' in checked) throw refusal(checked, 'IMAGE_FORMAT');
  return checked;
}

/**
 * Decodes a picture that has passed its check, turns it upright, drops its metadata and makes WebP files of the widths that its role is shown in,
 * never wider than it came. Of an animated picture the first image is taken. Nothing is stored.
 * @throws IMAGE_FORMAT with the finding
 */
export async function preparePicture(upload: PictureUpload): Promise<PreparedPicture> {
  const { content, role = 'picture', pointer = '' } = upload;
  const bytes = typeof content === 'string' ? await readFile(content) : content;
  return encode(bytes, role).catch((cause) => {
    throw Object.assign(refusal(finding('IMAGE_FORMAT', { pointer }), 'IMAGE_FORMAT'), { cause });
  });
}

async function encode(bytes: Uint8Array, role: PictureRole): Promise<PreparedPicture> {
  const key = pictureKey(bytes, role);
  const input = sharp(bytes, { limitInputPixels: PIXELS[role], failOn: 'error' });
  const { autoOrient } = await input.metadata();
  const { width, height } = autoOrient;
  const widths = widthsFor(width, height, role);
  const widest = Math.max(...widths);
  if ((height / width) * widest > WEBP_SIDE_MAX)
    throw new RangeError('the picture is too tall for its width');
  const decoded = await input
    .clone()
    .autoOrient()
    .resize({ width: widest })
    .toColourspace('srgb')
    .timeout({ seconds: TIMEOUT_SECONDS })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const files = [];
  for (const narrowed of widths) {
    files.push({ name: `${key}-${narrowed}.webp`, content: await narrow(decoded, narrowed) });
  }
  const total = files.reduce((sum, { content }) => sum + content.length, 0);
  return { picture: { key, width, height, widths, bytes: total }, files };
}

/**
 * Hexadecimal digits of the SHA-256 that name a picture: documents name dozens of them, and digits of chance cannot be
 * compressed. Nobody finds another picture for a name that is there; who makes two of one name sees the first in both.
 */
const KEY_LENGTH = 32;

/** Pictures of another role have other widths, so they are others. */
function pictureKey(bytes: Uint8Array, role: PictureRole): string {
  const hash = createHash('sha256');
  if (role !== 'picture') hash.update(`${role}\n`);
  return hash.update(bytes).digest('hex').slice(0, KEY_LENGTH);
}

/** A picture in one width. Lists show many at a time, of which none may take long to arrive. */
async function narrow({ data, info }: { data: Buffer; info: OutputInfo }, width: number): Promise<Buffer> {
  const { width: wide, height, channels } = info;
  const [best, ...lower] = QUALITIES;
  const resized = sharp(data, { raw: { width: wide, height, channels } }).resize({ width });
  const encoded = (quality: number): Promise<Buffer> =>
    resized.clone().webp({ quality }).timeout({ seconds: TIMEOUT_SECONDS }).toBuffer();
  let made = await encoded(best);
  for (const quality of width <= CARD_WIDTH_MAX ? lower : []) {
    if (made.length <= CARD_BYTES_MAX) break;
    made = await encoded(quality);
  }
  return made;
}

function widthsFor(width: number, height: number, role: PictureRole): number[] {
  const narrower = WIDTHS[role].filter(
    (candidate) => candidate <= width && candidate * candidate * (height / width) <= MADE_PIXELS_MAX,
  );
  return narrower.length > 0 ? narrower : [Math.max(width, NARROWEST)];
}

/** The error that refuses a picture or video for what was found, with the finding among its details. */
export function refusal(found: Finding, otherwise: ErrorCode): AppError {
  const code = isErrorCode(found.code) ? found.code : otherwise;
  return appError(code, { details: [found], ...(found.params && { params: found.params }) });
}
