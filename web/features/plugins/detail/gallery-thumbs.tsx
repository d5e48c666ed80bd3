import { useTranslations } from 'use-intl';
import type { MediaItem } from '../../../../shared/entities/plugin.ts';
import { pictureUrl } from '../../../../shared/media.ts';
import { PlayIcon } from '../../../ui/icon/media-icons.tsx';
import styles from './plugin-gallery.module.css';

type GalleryThumbsProps = { items: MediaItem[]; chosen: number; onChoose: (place: number) => void };

/** The small pictures below the large one. */
export function GalleryThumbs({ items, chosen, onChoose }: GalleryThumbsProps) {
  const t = useTranslations('plugin');
  return (
    <ul className={styles.thumbs}>
      {items.map((item, place) => {
        const position = { position: place + 1, count: items.length };
        return (
          <li key={item.kind === 'image' ? item.picture.key : item.url}>
            <button
              type="button"
              className={styles.thumb}
              aria-label={t(item.kind === 'image' ? 'picture' : 'video', position)}
              aria-current={place === chosen ? 'true' : undefined}
              onClick={() => onChoose(place)}
            >
              {item.kind === 'image' ? (
                <img
                  src={pictureUrl(item.picture.key, item.picture.widths[0] ?? 320)}
                  width="128"
                  height="72"
                  alt=""
                />
              ) : (
                <PlayIcon size={22} />
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
