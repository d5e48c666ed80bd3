import type { Listing, MediaItem, Picture } from '../../../../shared/entities/plugin.ts';
import { pictureUrl } from '../../../../shared/media.ts';

/** Pictures that a listing has at most one of each. */
export const PICTURES = ['icon', 'cover', 'panel'] as const;
export type PictureName = (typeof PICTURES)[number];

/** A picture of the listing: none, the stored one, or a new file. `url` is an object URL. */
export type PictureChoice =
  | { state: 'none' }
  | { state: 'stored'; picture: Picture }
  | { state: 'chosen'; file: File; url: string };

/** A picture or video of the gallery: stored (`key`) or a new file. */
export type MediaChoice = {
  /** Unique id: the key, or the file's object URL. */
  id: string;
  kind: 'image' | 'video';
  url: string;
  /** What the picture right before it looked like before. */
  isBefore?: true;
} & ({ key: string } | { file: File });

export type PublishFiles = Record<PictureName, PictureChoice> & {
  media: MediaChoice[];
  /** The package, which is the code file of R 5.9. */
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

/** Choices that leave a listing unchanged. */
export function storedFiles({ icon, cover, panel, media }: Listing): PublishFiles {
  return {
    icon: storedPicture(icon),
    cover: storedPicture(cover),
    panel: storedPicture(panel),
    media: storedMedia(media),
    code: null,
  };
}

/** The choice that leaves a picture unchanged. */
export function storedPicture(picture: Picture | null): PictureChoice {
  return picture ? { state: 'stored', picture } : NO_PICTURE;
}

const KEY = /[0-9a-f]{64}/;

/** The stored media of a listing as choices. */
export function storedMedia(media: readonly MediaItem[]): MediaChoice[] {
  return media.map((item) => {
    if (item.kind === 'video') {
      const key = KEY.exec(item.url)?.[0] ?? item.url;
      return { id: key, key, kind: 'video', url: item.url };
    }
    const { key, width, widths } = item.picture;
    return {
      ...{ id: key, key, kind: 'image', url: pictureUrl(key, widths[0] ?? width) },
      ...(item.is_before && { isBefore: true }),
    };
  });
}

/** URL of a picture, stored or new. */
export function shownPicture(choice: PictureChoice): Picture | null {
  if (choice.state === 'none') return null;
  if (choice.state === 'stored') return choice.picture;
  return { key: choice.url, width: 16, height: 9, widths: [1] };
}

/** New files, which are only in this browser so far. */
export function chosenFiles({ icon, cover, panel, media, code }: PublishFiles): File[] {
  const pictures = [icon, cover, panel].flatMap((choice) => (choice.state === 'chosen' ? [choice.file] : []));
  const others = media.flatMap((choice) => ('file' in choice ? [choice.file] : []));
  return [...(code ? [code] : []), ...pictures, ...others];
}

/** What is shown as one: a picture or video, or a picture and its *before*. */
function itemsOf(media: readonly MediaChoice[]): MediaChoice[][] {
  const items: MediaChoice[][] = [];
  for (const choice of media) {
    const last = items.at(-1);
    if (choice.isBefore && last) last.push(choice);
    else items.push([choice]);
  }
  return items;
}

/**
 * The gallery with two neighbours swapped: `by` is 1 for later, -1 for earlier. A picture and its *before* move together, and
 * within the two of them they change their parts.
 */
export function movedMedia(media: readonly MediaChoice[], id: string, by: 1 | -1): MediaChoice[] {
  const items = itemsOf(media);
  const from = items.findIndex((item) => item.some((choice) => choice.id === id));
  const [first, second] = items[from] ?? [];
  const [other, chosen] = [items[from + by], items[from]];
  if (first && second && id === (by === 1 ? first : second).id)
    return items.flatMap((item, index) => (index === from ? [single(second), asBefore(first)] : item));
  if (!chosen || !other) return [...media];
  return items.flatMap((item, index) => (index === from ? other : index === from + by ? chosen : item));
}

function single({ isBefore: _, ...choice }: MediaChoice): MediaChoice {
  return choice;
}

function asBefore(choice: MediaChoice): MediaChoice {
  return { ...choice, isBefore: true };
}

/** The gallery without an item; what was its *before* is a picture like others. */
export function withoutMedia(media: readonly MediaChoice[], id: string): MediaChoice[] {
  return itemsOf(media).flatMap((item) => {
    const left = item.filter((choice) => choice.id !== id);
    return left.length < item.length ? left.map(single) : item;
  });
}

/** Whether a picture can be the *before* of the one right before it: both are pictures, and neither belongs to another. */
export function canCompare(media: readonly MediaChoice[], place: number): boolean {
  const [after, before, next] = [media[place - 1], media[place], media[place + 1]];
  if (after?.kind !== 'image' || before?.kind !== 'image') return false;
  return !after.isBefore && !next?.isBefore;
}

/** Makes a picture the *before* of the one right before it, or both single pictures again. */
export function toggledBefore(media: readonly MediaChoice[], id: string): MediaChoice[] {
  return media.map((choice, place) => {
    if (choice.id !== id || !canCompare(media, place)) return choice;
    return choice.isBefore ? single(choice) : asBefore(choice);
  });
}

/** The gallery's order as the form sends it (shared/routes/publish.ts). */
type MediaOrder = (({ key: string } | { upload: number }) & { is_before?: true })[];

/** The order to send, and the new files that it refers to, in the same order. */
export function mediaToSend(media: readonly MediaChoice[]): { order: MediaOrder; files: File[] } {
  const files: File[] = [];
  const order = media.map((choice) => {
    const isBefore = choice.isBefore && { is_before: true as const };
    if ('key' in choice) return { key: choice.key, ...isBefore };
    files.push(choice.file);
    return { upload: files.length - 1, ...isBefore };
  });
  return { order, files };
}
