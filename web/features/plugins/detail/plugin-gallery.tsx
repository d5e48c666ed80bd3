import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { MediaItem, PluginDetail } from '../../../../shared/entities/plugin.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { GalleryThumbs } from './gallery-thumbs.tsx';
import { GalleryView } from './gallery-view.tsx';
import styles from './plugin-gallery.module.css';

const GalleryZoom = lazy(async () => ({ default: (await import('./gallery-zoom.tsx')).GalleryZoom }));

/** Cover, pictures and videos of a plugin: one large, the others to choose from, full size in a dialog. */
export function PluginGallery({ plugin }: { plugin: PluginDetail }) {
  const t = useTranslations('plugin');
  const [chosen, setChosen] = useState(0);
  const [enlarged, setEnlarged] = useState(false);
  const items: MediaItem[] = plugin.cover
    ? [{ kind: 'image', picture: plugin.cover }, ...plugin.media]
    : plugin.media;
  const item = items[chosen] ?? items[0];
  if (!item) return null;
  return (
    <section className={styles.gallery} aria-label={t('gallery')}>
      <div className={styles.stage}>
        <GalleryView item={item} place={chosen + 1} count={items.length} />
        {item.kind === 'image' && (
          <button
            type="button"
            className={styles.enlarge}
            aria-label={t('enlarge')}
            aria-haspopup="dialog"
            onClick={() => setEnlarged(true)}
          />
        )}
      </div>
      {items.length > 1 && <GalleryThumbs items={items} chosen={chosen} onChoose={setChosen} />}
      <Dialog
        open={enlarged}
        onClose={() => setEnlarged(false)}
        title={plugin.name}
        closeLabel={t('close')}
        kind="picture"
      >
        <Suspense fallback={<GalleryView item={item} place={chosen + 1} count={items.length} whole />}>
          <GalleryZoom item={item} place={chosen + 1} count={items.length} />
        </Suspense>
      </Dialog>
    </section>
  );
}
