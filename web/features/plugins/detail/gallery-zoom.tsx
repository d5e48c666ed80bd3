import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { MinusIcon, PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { Slider } from '../../../ui/slider/slider.tsx';
import { GalleryView, type GalleryViewProps } from './gallery-view.tsx';
import styles from './gallery-zoom.module.css';
import { usePan } from './use-pan.ts';

/** Percent of the width of its field. */
const ZOOM = { min: 100, max: 400, step: 25 } as const;

/** A picture of a plugin as large as the screen, to be looked at closely. */
export function GalleryZoom(view: GalleryViewProps) {
  const t = useTranslations('ui');
  const format = useFormatter();
  const [zoom, setZoom] = useState<number>(ZOOM.min);
  const { field, handlers } = usePan(zoom);
  const percent = (value: number): string => format.number(value / 100, { style: 'percent' });
  return (
    <div className={styles.viewer}>
      <section {...handlers} ref={field} className={styles.field} aria-label={t('zoomed_picture')}>
        <div className={styles.scaled} style={{ width: `${zoom}%` }}>
          <GalleryView {...view} whole />
        </div>
      </section>
      <div className={styles.scale}>
        <MinusIcon />
        <Slider {...ZOOM} label={t('zoom')} value={zoom} onChange={setZoom} valueText={percent} />
        <PlusIcon />
        <span className={styles.percent}>{percent(zoom)}</span>
      </div>
    </div>
  );
}
