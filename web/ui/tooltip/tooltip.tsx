import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import styles from './tooltip.module.css';

const TooltipPopup = lazy(() =>
  import('./tooltip-popup.tsx').then((module) => ({ default: module.TooltipPopup })),
);

/**
 * Shows `text` above what it wraps, at once, on hover and on keyboard focus. For eyes alone: what it wraps
 * carries the same words as its accessible name.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const [wanted, setWanted] = useState(false);
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const show = (): void => {
    setWanted(true);
    setOpen(true);
  };
  const hide = (): void => setOpen(false);
  return (
    <span
      role="none"
      ref={anchor}
      className={styles.anchor}
      onPointerEnter={(event) => event.pointerType === 'mouse' && show()}
      onPointerLeave={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && show()}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
      onPointerDown={hide}
    >
      {children}
      {wanted && (
        <Suspense fallback={null}>
          <TooltipPopup anchor={anchor} text={text} open={open} />
        </Suspense>
      )}
    </span>
  );
}
