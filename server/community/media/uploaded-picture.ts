import { IMAGE_BYTES_MAX } from '../../../shared/constants.ts';
import type { FileRule, UploadedFile } from '../forms/uploads.ts';
import type { Turn } from './limiter.ts';
import type { Pictures } from './pictures.ts';
import type { KeptPicture, PictureRole } from './prepare-picture.ts';

/** One picture in a form. */
export const ONE_PICTURE: FileRule = { count: 1, bytes: IMAGE_BYTES_MAX, tooLarge: 'IMAGE_TOO_LARGE' };

/**
 * Keeps the picture of a form, if it has one; its files are durable then, its row is the caller's to write.
 * @throws IMAGE_FORMAT, IMAGE_TOO_LARGE, IMAGE_TOO_MANY_PIXELS, STORAGE_FULL; TOO_MANY_REQUESTS
 */
export async function keepUploaded(
  pictures: Pictures,
  file: UploadedFile | undefined,
  given: Turn & { role?: PictureRole },
): Promise<KeptPicture | undefined> {
  return file && pictures.keep({ ...given, content: file.path, pointer: `/${file.field}` });
}
