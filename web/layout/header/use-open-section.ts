import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';

/** Milliseconds of hovering before a panel opens, before another one replaces it, and of absence before it closes. */
const OPENS_AFTER = 90;
const CHANGES_AFTER = 160;
const CLOSES_AFTER = 260;

/** What opened a panel: a pointer, which may leave again, a press, or a key that also moves focus into it. */
type Way = 'hover' | 'press' | 'key';
type Open = { name: string; way: Way };

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
  useOnVisit(() => show(undefined));
  return {
    open,
    close: () => show(undefined),
    press: (name: string, way: Way): void =>
      show(way === 'press' && open?.name === name && open.way !== 'hover' ? undefined : { name, way }),
    enter: (name: string, { pointerType }: PointerEvent): void => {
      if (pointerType !== 'mouse') return;
      if (open?.name === name) clearTimeout(timer.current);
      else show({ name, way: 'hover' }, open ? CHANGES_AFTER : OPENS_AFTER);
    },
    leave: ({ pointerType }: PointerEvent): void => {
      if (pointerType !== 'mouse') return;
      clearTimeout(timer.current);
      if (open?.way === 'hover') show(undefined, CLOSES_AFTER);
    },
  };
}

/** Calls back after every navigation, also to the same page. */
export function useOnVisit(act: () => void): void {
  const { key } = useLocation();
  const seen = useRef(key);
  const onVisit = useEffectEvent(act);
  useEffect(() => {
    if (seen.current === key) return;
    seen.current = key;
    onVisit();
  }, [key]);
}
