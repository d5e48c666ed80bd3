import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Picture, PluginDetail } from '../../../../shared/entities/plugin.ts';
import { pictureSrcset, pictureUrl } from '../../../../shared/media.ts';
import styles from './panel-picture.module.css';
import { GalleryDialog } from './plugin-gallery.tsx';

const SIZES = '(min-width: 640px) 560px, 94vw';

/** A picture of the plugin inside the editor; nothing without one. */
export function PanelPicture({ plugin: { name, panel } }: { plugin: PluginDetail }) {
  const t = useTranslations('plugin');
  const [enlarged, setEnlarged] = useState(false);
  if (!isPicture(panel)) return null;
  const { key, widths, width, height } = panel;
  const alt = t('panel_picture', { name });
  return (
    <figure className={styles.figure}>
      <div className={styles.frame}>
        <img
          className={styles.picture}
          src={pictureUrl(key, widths.at(-1) ?? width)}
          srcSet={pictureSrcset(key, widths)}
          sizes={SIZES}
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          alt={alt}
        />
        <button
          type="button"
          className={styles.enlarge}
          aria-label={t('panel_enlarge')}
          aria-haspopup="dialog"
          onClick={() => setEnlarged(true)}
        />
      </div>
      <figcaption className={styles.caption}>{t('panel_caption')}</figcaption>
      <GalleryDialog
        open={enlarged}
        onClose={() => setEnlarged(false)}
        title={name}
        item={{ kind: 'image', picture: panel }}
        place={1}
        count={1}
        alt={alt}
      />
    </figure>
  );
}

/** A foreign service may omit the panel size or send it in another shape. */
function isPicture(panel: Picture | null | undefined): panel is Picture {
  return typeof panel?.key === 'string' && Array.isArray(panel.widths) && panel.widths.length > 0;
}
