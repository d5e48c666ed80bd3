import { Tooltip } from '@base-ui/react/tooltip';
import { lazy, type RefObject, Suspense } from 'react';
import styles from './tooltip.module.css';
import type { TooltipContent } from './tooltip.tsx';

const SafeHtml = lazy(() => import('../safe-html.tsx').then((module) => ({ default: module.SafeHtml })));

type TooltipPopupProps = TooltipContent & {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
};

/** The layer of a tooltip, loaded on first use: above its anchor, or where there is space. */
export function TooltipPopup({ id, anchor, open, text, html }: TooltipPopupProps) {
  return (
    <Tooltip.Root open={open}>
      <Tooltip.Portal>
        <Tooltip.Positioner
          className={styles.positioner}
          anchor={anchor}
          side="top"
          align="end"
          collisionAvoidance={{ side: 'flip', align: 'flip', fallbackAxisSide: 'end' }}
          collisionPadding={8}
        >
          {html === undefined ? (
            <Tooltip.Popup className={styles.popup} aria-hidden="true">
              {text}
            </Tooltip.Popup>
          ) : (
            <Tooltip.Popup id={id} className={styles.popup} role="tooltip">
              <Suspense fallback={null}>
                <SafeHtml html={html} />
              </Suspense>
            </Tooltip.Popup>
          )}
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
