import { Tooltip } from '@base-ui/react/tooltip';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Lazy } from '../../loading/lazy.tsx';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import styles from './tooltip.module.css';
import type { TooltipContent } from './tooltip.tsx';
import { roomiestSide, type Side } from './tooltip-side.ts';

const safeHtml = lazyWithRetry(async () => (await import('../safe-html.tsx')).SafeHtml);

type TooltipPopupProps = TooltipContent & {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
};

/** The layer of a tooltip, loaded on first use: at the side of its anchor with the most room, aligned to the end (R 13.7). */
export function TooltipPopup({ id, anchor, open, text, html }: TooltipPopupProps) {
  const layer = useRef<HTMLDivElement>(null);
  const [side, setSide] = useState<Side>('top');
  useLayoutEffect(() => {
    if (!open || !anchor.current || !layer.current) return;
    const { offsetWidth: width, offsetHeight: height } = layer.current;
    const { clientWidth, clientHeight } = document.documentElement;
    const view = { width: clientWidth, height: clientHeight };
    setSide(roomiestSide(anchor.current.getBoundingClientRect(), { width, height }, view));
  }, [open, anchor]);
  return (
    <Tooltip.Root open={open}>
      <Tooltip.Portal>
        <Tooltip.Positioner
          className={styles.positioner}
          anchor={anchor}
          side={side}
          align="end"
          collisionAvoidance={{ side: 'flip', align: 'flip', fallbackAxisSide: 'end' }}
          collisionPadding={8}
        >
          {html === undefined ? (
            <Tooltip.Popup ref={layer} className={styles.popup} aria-hidden="true">
              {text}
            </Tooltip.Popup>
          ) : (
            <Tooltip.Popup ref={layer} id={id} className={styles.popup} role="tooltip">
              <Lazy part={safeHtml}>{(SafeHtml) => <SafeHtml html={html} />}</Lazy>
            </Tooltip.Popup>
          )}
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
