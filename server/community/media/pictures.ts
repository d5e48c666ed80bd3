import { DECODED_BYTES_MAX, IMAGE_BYTES_MAX } from '../../../shared/constants.ts';
import type { FileRule, UploadedFile } from '../forms/uploads.ts';
import type { FileStore } from './files.ts';
import { limitFairly, type Turn } from './limiter.ts';
import {
  checkHead,
  type KeptPicture,
  type PictureRole,
  type PictureUpload,
  type PreparedPicture,
  preparePicture,
} from './prepare-picture.ts';

/** Pictures decoded at a time, so that uploads do not take the machine from those who browse. */
const AT_A_TIME = 2;
/** Pictures that may wait for their turn: of one user, and of all. */
const WAITING_EACH = 20;
const WAITING = 200;

/** Makes stored pictures of uploaded ones. Work is done off the main thread. */
export type Pictures = {
  /**
   * Checks, decodes and encodes; nothing is stored. One picture of a user at a time, and together no more than the
   * memory of the largest that is taken.
   * @throws IMAGE_FORMAT, IMAGE_TOO_LARGE, IMAGE_TOO_MANY_PIXELS; TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE; the signal's
   * reason
   */
  prepare(upload: PictureUpload & Turn): Promise<PreparedPicture>;
  /**
   * Keeps the files of a prepared picture. They are durable when this resolves; the row is the caller's to write.
   * @throws STORAGE_FULL
   */
  store(prepared: PreparedPicture): Promise<KeptPicture>;
  /** Both at once. */
  keep(upload: PictureUpload & Turn): Promise<KeptPicture>;
};

export function openPictures(files: FileStore): Pictures {
  const runLimited = limitFairly({ size: DECODED_BYTES_MAX, waiting: WAITING, waitingEach: WAITING_EACH });
  const prepare: Pictures['prepare'] = async (upload) => {
    const { width, height, pixelBytes } = await checkHead(upload);
    const cost = Math.max(DECODED_BYTES_MAX / AT_A_TIME, width * height * pixelBytes);
    return runLimited({ ...upload, cost }, () => preparePicture(upload));
  };
  const store: Pictures['store'] = async ({ picture, files: made }) => {
    for (const { name, content } of made) await files.put(name, content);
    return picture;
  };
  return { prepare, store, keep: async (upload) => store(await prepare(upload)) };
}

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
