import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';

/** Milliseconds of hovering before a panel opens, before another one replaces it, and of absence before it closes. */
const OPEN_DELAY_MS = 90;
const CHANGE_DELAY_MS = 160;
const CLOSE_DELAY_MS = 260;

/** What opened a panel: a pointer, which may leave again, a press, or a key that also moves focus into it. */
type OpenedBy = 'hover' | 'press' | 'key';
type Open = { name: string; way: OpenedBy };

/**
 * The open panel of the header. A pointer that crosses other items diagonally on its way into the panel keeps it open;
 * a press keeps a hovered panel open, and closes one that was opened by a press.
 */
export function useOpenSection() {
  const [open, setOpen] = useState<Open>();
  const timer = useRef(0);
  const show = (next: Open | undefined, delay = 0): void => {
    clearTimeout(timer.current);
    if (delay === 0) setOpen(next);
    else timer.current = window.setTimeout(setOpen, delay, next);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useOnNavigation(() => show(undefined));
  return {
    open,
    close: () => show(undefined),
    press: (name: string, way: OpenedBy): void =>
      show(way === 'press' && open?.name === name && open.way !== 'hover' ? undefined : { name, way }),
    enter: (name: string, { pointerType }: PointerEvent): void => {
      if (pointerType !== 'mouse') return;
      if (open?.name === name) clearTimeout(timer.current);
      else show({ name, way: 'hover' }, open ? CHANGE_DELAY_MS : OPEN_DELAY_MS);
    },
    leave: ({ pointerType }: PointerEvent): void => {
      if (pointerType !== 'mouse') return;
      clearTimeout(timer.current);
      if (open?.way === 'hover') show(undefined, CLOSE_DELAY_MS);
    },
  };
}

/** Calls back after every navigation, also to the same page. */
export function useOnNavigation(act: () => void): void {
  const { key } = useLocation();
  const seen = useRef(key);
  const onVisit = useEffectEvent(act);
  useEffect(() => {
    if (seen.current === key) return;
    seen.current = key;
    onVisit();
  }, [key]);
}
