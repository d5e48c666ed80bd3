import type { Listing, MediaItem, Picture } from '../../../../shared/entities/plugin.ts';
import { pictureUrl } from '../../../../shared/media.ts';

/** Pictures of which a listing has one each. */
export const PICTURES = ['icon', 'cover', 'panel'] as const;
export type PictureName = (typeof PICTURES)[number];

/** A picture of the listing: none, the stored one, or a file to be sent. `url` is the browser's own. */
export type PictureChoice =
  | { state: 'none' }
  | { state: 'kept'; picture: Picture }
  | { state: 'chosen'; file: File; url: string };

/** One of the pictures and videos of the gallery: stored (`key`) or a file to be sent. */
export type MediaChoice = {
  /** Tells choices apart: the key, or the browser's own address of the file. */
  id: string;
  kind: 'image' | 'video';
  url: string;
} & ({ key: string } | { file: File });

/** The files of the form. */
export type PublishFiles = Record<PictureName, PictureChoice> & {
  media: MediaChoice[];
  /** The package, the code file of specification section 3. */
  code: File | null;
};

export const NO_PICTURE: PictureChoice = { state: 'none' };

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

/** The choice that leaves a picture as it is. */
export function keptPicture(picture: Picture | null): PictureChoice {
  return picture ? { state: 'kept', picture } : NO_PICTURE;
}

const KEY = /[0-9a-f]{64}/;

/** The stored media of a listing as choices. */
export function keptMedia(media: readonly MediaItem[]): MediaChoice[] {
  return media.map((item) => {
    if (item.kind === 'video') {
      const key = KEY.exec(item.url)?.[0] ?? item.url;
      return { id: key, key, kind: 'video', url: item.url };
    }
    const { key, width, widths } = item.picture;
    return { id: key, key, kind: 'image', url: pictureUrl(key, widths[0] ?? width) };
  });
}

/** A picture that pages can show, also while it is only in this browser. */
export function shownPicture(choice: PictureChoice): Picture | null {
  if (choice.state === 'none') return null;
  if (choice.state === 'kept') return choice.picture;
  return { key: choice.url, width: 16, height: 9, widths: [1] };
}

/** Files that are only in this browser so far. */
export function chosenFiles({ icon, cover, panel, media, code }: PublishFiles): File[] {
  const pictures = [icon, cover, panel].flatMap((choice) => (choice.state === 'chosen' ? [choice.file] : []));
  const others = media.flatMap((choice) => ('file' in choice ? [choice.file] : []));
  return [...(code ? [code] : []), ...pictures, ...others];
}

/** The gallery with one choice in the place of its neighbour: `by` is 1 for later, -1 for earlier. */
export function movedMedia(media: readonly MediaChoice[], id: string, by: 1 | -1): MediaChoice[] {
  const from = media.findIndex((choice) => choice.id === id);
  const chosen = media[from];
  const other = media[from + by];
  if (!chosen || !other) return [...media];
  return media.map((choice, place) => (place === from ? other : place === from + by ? chosen : choice));
}

/** How the form says which media a listing has, in order (shared/routes/publish.ts). */
type MediaOrder = ({ key: string } | { upload: number })[];

/** The order to be sent, and the files it counts, in their order. */
export function mediaToSend(media: readonly MediaChoice[]): { order: MediaOrder; files: File[] } {
  const files: File[] = [];
  const order = media.map((choice) => {
    if ('key' in choice) return { key: choice.key };
    files.push(choice.file);
    return { upload: files.length - 1 };
  });
  return { order, files };
}
