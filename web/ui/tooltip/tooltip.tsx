import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Lazy } from '../../loading/lazy.tsx';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import styles from './tooltip.module.css';

/** Content of a tooltip: plain text, or HTML that is sanitized. */
export type TooltipContent = { text: string; html?: never } | { html: string; text?: never };

const tooltipPopup = lazyWithRetry(async () => (await import('./tooltip-popup.tsx')).TooltipPopup);

type TooltipProps = TooltipContent & { children: ReactNode };

/**
 * A tooltip, shown immediately on hover and on keyboard focus; the pointer may move onto it, Escape closes it. A `text`
 * is only visual: its anchor has the same words as its accessible name. `html` may have inline formatting and links to
 * the web; the rest is removed.
 */
export function Tooltip({ children, ...content }: TooltipProps) {
  const [wanted, setWanted] = useState(false);
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const id = useId();
  const show = (): void => {
    setWanted(true);
    setOpen(true);
  };
  const hide = (): void => setOpen(false);
  useDescription(anchor, content.html !== undefined && open ? id : undefined);
  // React events bubble from the layer too, as it is a portal.
  const isInLayer = ({ target }: PointerEvent | FocusEvent): boolean =>
    target instanceof Node && !anchor.current?.contains(target);
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
      onPointerDown={(event) => isInLayer(event) || hide()}
    >
      {children}
      {wanted && (
        <Lazy part={tooltipPopup} onFailed={() => setWanted(false)}>
          {(TooltipPopup) => <TooltipPopup {...content} id={id} anchor={anchor} open={open} />}
        </Lazy>
      )}
    </span>
  );
}

const CONTROL = 'button, a[href], input, [tabindex]';

/** Sets `aria-describedby` on the control inside an element while there is an id. */
function useDescription(place: RefObject<HTMLElement | null>, id: string | undefined): void {
  useEffect(() => {
    const control = place.current?.querySelector(CONTROL);
    if (!control || id === undefined) return;
    const before = control.getAttribute('aria-describedby');
    control.setAttribute('aria-describedby', before ? `${before} ${id}` : id);
    return () => {
      if (before) control.setAttribute('aria-describedby', before);
      else control.removeAttribute('aria-describedby');
    };
  }, [place, id]);
}
