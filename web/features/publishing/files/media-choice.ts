import type { MediaItem } from '../../../../shared/entities/plugin.ts';
import { pictureUrl } from '../../../../shared/media.ts';

/** One of the pictures and videos of a listing: stored (`key`) or a file to be sent. */
export type MediaChoice = {
  /** Tells choices apart: the key, or the browser's own address of the file. */
  id: string;
  kind: 'image' | 'video';
  url: string;
} & ({ key: string } | { file: File });

/** How the form says which media a listing has, in order (shared/routes/publish.ts). */
export type MediaOrder = ({ key: string } | { upload: number })[];

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

/** Takes the place of its neighbour: `by` is 1 for later, -1 for earlier. */
export function movedMedia(media: readonly MediaChoice[], id: string, by: 1 | -1): MediaChoice[] {
  const from = media.findIndex((choice) => choice.id === id);
  const chosen = media[from];
  const other = media[from + by];
  if (!chosen || !other) return [...media];
  return media.map((choice, place) => (place === from ? other : place === from + by ? chosen : choice));
}

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
