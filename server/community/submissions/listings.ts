import type { Listing } from '../../../shared/entities/listing.ts';
import type { MediaItem } from '../../../shared/entities/plugin.ts';
import { fileUrl } from '../../../shared/media.ts';
import type { Db, StoredListing } from '../schema.ts';
import { readPictures, readVideos } from './store.ts';

/** Listings as the wire has them: keys of pictures and videos become what a page shows. */
export async function resolveListings(db: Db, stored: readonly StoredListing[]): Promise<Listing[]> {
  const [pictures, videos] = await Promise.all([
    readPictures(db, [...new Set(stored.flatMap(pictureKeysOf))]),
    readVideos(db, [...new Set(stored.flatMap(fileKeysOf))]),
  ]);
  const picture = (key: string | null) => (key === null ? null : (pictures.get(key) ?? null));
  const mediaItem = (item: StoredListing['media'][number]): MediaItem[] => {
    if ('picture_key' in item) {
      const found = picture(item.picture_key);
      return found ? [{ kind: 'image', picture: found }] : [];
    }
    const found = videos.get(item.file_key);
    if (!found) return [];
    return [
      { kind: 'video', url: fileUrl(`${item.file_key}.${found.extension}`), mime_type: found.mime_type },
    ];
  };
  return stored.map(({ icon_key, cover_key, panel_key, media, ...listing }) => ({
    ...listing,
    icon: picture(icon_key),
    cover: picture(cover_key),
    panel: picture(panel_key),
    media: media.flatMap(mediaItem),
  }));
}

/** Keys of all pictures a listing names, each once. */
export function pictureKeysOf({ icon_key, cover_key, panel_key, media }: StoredListing): string[] {
  const shown = media.flatMap((item) => ('picture_key' in item ? [item.picture_key] : []));
  return [...new Set([icon_key, cover_key, panel_key, ...shown].filter((key) => key !== null))];
}

/** Keys of all videos a listing names, each once. */
export function fileKeysOf({ media }: StoredListing): string[] {
  return [...new Set(media.flatMap((item) => ('file_key' in item ? [item.file_key] : [])))];
}
