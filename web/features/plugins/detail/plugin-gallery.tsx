import MaximizeIcon from 'lucide-react/icons/maximize-2';
import PlayIcon from 'lucide-react/icons/play';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { PluginDetail } from '../../../../shared/entities/plugin.ts';
import { pictureSrcset, pictureUrl } from '../../../../shared/media.ts';
import { Lazy } from '../../../loading/lazy.tsx';
import { lazyWithRetry } from '../../../loading/lazy-with-retry.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Comparison, ComparisonThumb } from './comparison.tsx';
import { type GalleryItem, galleryItems } from './gallery-items.ts';
import styles from './plugin-gallery.module.css';

const galleryZoom = lazyWithRetry(async () => (await import('./gallery-zoom.tsx')).GalleryZoom);

/** Cover, pictures and videos of a plugin: one large, the others as thumbnails, full size in a dialog. */
export function PluginGallery({ plugin }: { plugin: Pick<PluginDetail, 'name' | 'cover' | 'media'> }) {
  const t = useTranslations('plugin');
  const [chosen, setChosen] = useState(0);
  const [enlarged, setEnlarged] = useState(false);
  const media = galleryItems(plugin.media);
  const items: GalleryItem[] = plugin.cover ? [{ kind: 'image', picture: plugin.cover }, ...media] : media;
  const item = items[chosen] ?? items[0];
  if (!item) return null;
  return (
    <section className={styles.gallery} aria-label={t('gallery')}>
      <div className={styles.stage}>
        <GalleryView item={item} place={chosen + 1} count={items.length} />
        {item.kind === 'image' && (
          <button
            type="button"
            className={item.before ? styles.maximize : styles.enlarge}
            aria-label={t('enlarge')}
            aria-haspopup="dialog"
            onClick={() => setEnlarged(true)}
          >
            {item.before && <MaximizeIcon size={18} />}
          </button>
        )}
      </div>
      {items.length > 1 && <GalleryThumbs items={items} chosen={chosen} onChoose={setChosen} />}
      <GalleryDialog
        open={enlarged}
        onClose={() => setEnlarged(false)}
        title={plugin.name}
        item={item}
        place={chosen + 1}
        count={items.length}
      />
    </section>
  );
}

type EnlargedProps = GalleryViewProps & { open: boolean; onClose: () => void; title: string };

/** A picture in full size, in a dialog. */
export function GalleryDialog({ open, onClose, title, ...view }: EnlargedProps) {
  const common = useTranslations('common');
  return (
    <Dialog open={open} onClose={onClose} title={title} closeLabel={common('close')} kind="picture">
      <Lazy part={galleryZoom} fallback={<GalleryView {...view} isFullSize />}>
        {(GalleryZoom) => <GalleryZoom {...view} />}
      </Lazy>
    </Dialog>
  );
}

type GalleryThumbsProps = { items: GalleryItem[]; chosen: number; onChoose: (place: number) => void };

function GalleryThumbs({ items, chosen, onChoose }: GalleryThumbsProps) {
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
              aria-label={t(nameOf(item), position)}
              aria-current={place === chosen ? 'true' : undefined}
              onClick={() => onChoose(place)}
            >
              <Thumb item={item} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function nameOf(item: GalleryItem) {
  if (item.kind === 'video') return 'video';
  return item.before ? 'picture_compared' : 'picture';
}

function Thumb({ item }: { item: GalleryItem }) {
  if (item.kind === 'video') return <PlayIcon size={22} fill="currentColor" />;
  const { picture, before } = item;
  if (before) return <ComparisonThumb before={before} after={picture} />;
  return <img src={pictureUrl(picture.key, picture.widths[0] ?? 320)} width="128" height="72" alt="" />;
}

const SIZES = '(min-width: 1440px) 960px, (min-width: 1024px) 66vw, 94vw';

export type GalleryViewProps = {
  item: GalleryItem;
  place: number;
  count: number;
  isFullSize?: boolean;
  /** Alternative text, where the position isn't enough. */
  alt?: string;
};

/** One large picture or video. */
export function GalleryView({ item, place, count, isFullSize = false, alt }: GalleryViewProps) {
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
  const sizes = isFullSize ? '100vw' : SIZES;
  const isFirst = place === 1 && !isFullSize;
  if (item.before)
    return (
      <Comparison
        key={key}
        {...{ before: item.before, after: item.picture, position, sizes, isFirst }}
        byHandle={isFullSize}
      />
    );
  return (
    <img
      key={key}
      className={styles.view}
      src={pictureUrl(key, widths.at(-1) ?? width)}
      srcSet={pictureSrcset(key, widths)}
      sizes={sizes}
      width={width}
      height={height}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
      alt={alt ?? t('picture', position)}
    />
  );
}
