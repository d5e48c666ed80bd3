import { useTranslations } from 'use-intl';
import type { MediaItem } from '../../../../shared/entities/plugin.ts';
import { pictureSrcset, pictureUrl } from '../../../../shared/media.ts';
import styles from './plugin-gallery.module.css';

const SIZES = '(min-width: 1440px) 960px, (min-width: 1000px) 66vw, 94vw';

export type GalleryViewProps = {
  item: MediaItem;
  place: number;
  count: number;
  whole?: boolean;
  /** What stands for the picture, where its place among others does not say what it shows. */
  alt?: string;
};

/** One picture or video of a plugin, large. */
export function GalleryView({ item, place, count, whole = false, alt }: GalleryViewProps) {
  const t = useTranslations('plugin');
  const position = { position: place, count };
  if (item.kind === 'video')
    return (
      <video
        className={styles.view}
        src={item.url}
        controls
        muted
        playsInline
        preload="metadata"
        aria-label={t('video', position)}
      />
    );
  const { key, widths, width, height } = item.picture;
  return (
    <img
      key={key}
      className={styles.view}
      src={pictureUrl(key, widths.at(-1) ?? width)}
      srcSet={pictureSrcset(key, widths)}
      sizes={whole ? '100vw' : SIZES}
      width={width}
      height={height}
      fetchPriority={place === 1 && !whole ? 'high' : 'auto'}
      decoding="async"
      alt={alt ?? t('picture', position)}
    />
  );
}
