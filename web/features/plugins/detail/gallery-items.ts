import type { MediaItem, Picture } from '../../../../shared/entities/plugin.ts';

/** An item of the gallery: a picture, two of them as *before* and *after*, or a video. */
export type GalleryItem =
  | { kind: 'image'; picture: Picture; before?: Picture }
  | Extract<MediaItem, { kind: 'video' }>;

/** The items of a list; a *before* without its *after* is a picture like others. */
export function galleryItems(media: readonly MediaItem[]): GalleryItem[] {
  const items: GalleryItem[] = [];
  for (const item of media) {
    const last = items.at(-1);
    if (item.kind === 'video') items.push(item);
    else if (item.is_before && last?.kind === 'image' && !last.before) last.before = item.picture;
    else items.push({ kind: 'image', picture: item.picture });
  }
  return items;
}
