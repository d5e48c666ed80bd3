import type { FileStore } from './files.ts';
import { limitTo } from './limiter.ts';
import {
  type KeptPicture,
  type PictureUpload,
  type PreparedPicture,
  preparePicture,
} from './prepare-picture.ts';

/** Pictures decoded at a time, so that uploads do not take the machine from those who browse. */
const AT_A_TIME = 2;

/** Makes stored pictures of uploaded ones. Work is done off the main thread. */
export type Pictures = {
  /**
   * Checks, decodes and encodes; nothing is stored.
   * @throws IMAGE_FORMAT, IMAGE_TOO_LARGE
   */
  prepare(upload: PictureUpload): Promise<PreparedPicture>;
  /**
   * Keeps the files of a prepared picture. They are durable when this resolves; the row is the caller's to write.
   * @throws STORAGE_FULL
   */
  store(prepared: PreparedPicture): Promise<KeptPicture>;
  /** Both at once. */
  keep(upload: PictureUpload): Promise<KeptPicture>;
};

export function openPictures(files: FileStore): Pictures {
  const limited = limitTo(AT_A_TIME);
  const prepare: Pictures['prepare'] = (upload) => limited(() => preparePicture(upload));
  const store: Pictures['store'] = async ({ picture, files: made }) => {
    for (const { name, content } of made) await files.put(name, content);
    return picture;
  };
  return { prepare, store, keep: async (upload) => store(await prepare(upload)) };
}
