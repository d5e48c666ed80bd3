import type { Listing } from '../../../../shared/entities/listing.ts';
import { keptMedia, type MediaChoice } from './media-choice.ts';
import { keptPicture, NO_PICTURE, type PictureChoice, type PictureName } from './picture-choice.ts';

/** The files of the form. */
export type PublishFiles = Record<PictureName, PictureChoice> & {
  media: MediaChoice[];
  /** The package, the code file of specification section 3. */
  code: File | null;
};

export const NO_FILES: PublishFiles = {
  icon: NO_PICTURE,
  cover: NO_PICTURE,
  panel: NO_PICTURE,
  media: [],
  code: null,
};

/** The choices that leave a listing as it is. */
export function keptFiles({ icon, cover, panel, media }: Listing): PublishFiles {
  return {
    icon: keptPicture(icon),
    cover: keptPicture(cover),
    panel: keptPicture(panel),
    media: keptMedia(media),
    code: null,
  };
}

/** Files that are only in this browser so far. */
export function chosenFiles({ icon, cover, panel, media, code }: PublishFiles): File[] {
  const pictures = [icon, cover, panel].flatMap((choice) => (choice.state === 'chosen' ? [choice.file] : []));
  const others = media.flatMap((choice) => ('file' in choice ? [choice.file] : []));
  return [...(code ? [code] : []), ...pictures, ...others];
}
