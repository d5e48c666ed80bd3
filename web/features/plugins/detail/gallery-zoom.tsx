import MinusIcon from 'lucide-react/icons/minus';
import PlusIcon from 'lucide-react/icons/plus';
import { type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Slider } from '../../../ui/slider/slider.tsx';
import styles from './gallery-zoom.module.css';
import { GalleryView, type GalleryViewProps } from './plugin-gallery.tsx';

/** Percent of the container's width. */
const ZOOM = { min: 100, max: 400, step: 25 } as const;

/** A plugin's picture in full screen with zoom. */
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
          <GalleryView {...view} isFullSize />
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

type Pan = {
  field: RefObject<HTMLElement | null>;
  handlers: { onPointerDown: (event: PointerEvent) => void; onPointerMove: (event: PointerEvent) => void };
};

/** A scroll area that can be dragged; its centre stays in place when `zoom` changes. */
function usePan(zoom: number): Pan {
  const field = useRef<HTMLElement>(null);
  const before = useRef(zoom);
  useLayoutEffect(() => {
    const factor = zoom / before.current;
    before.current = zoom;
    const element = field.current;
    if (!element || factor === 1) return;
    // Not every browser lets the keyboard focus a scroll area.
    element.tabIndex = element.scrollWidth > element.clientWidth ? 0 : -1;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = element;
    element.scrollLeft = (scrollLeft + clientWidth / 2) * factor - clientWidth / 2;
    element.scrollTop = (scrollTop + clientHeight / 2) * factor - clientHeight / 2;
  }, [zoom]);
  return {
    field,
    handlers: {
      // Touch scrolls natively.
      onPointerDown({ pointerType, button, pointerId }) {
        if (pointerType === 'mouse' && button === 0) field.current?.setPointerCapture(pointerId);
      },
      onPointerMove({ pointerId, movementX, movementY }) {
        if (field.current?.hasPointerCapture(pointerId)) field.current.scrollBy(-movementX, -movementY);
      },
    },
  };
}
