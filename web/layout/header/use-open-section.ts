import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';

/** Milliseconds that a pointer stays before a panel opens, before another takes its place, and away before it closes. */
const OPENS_AFTER = 90;
const CHANGES_AFTER = 160;
const CLOSES_AFTER = 260;

/** What opened a panel: a pointer that may leave again, a press, or the key that also leads into it. */
type Way = 'hover' | 'press' | 'key';
type Open = { name: string; way: Way };

/**
 * Which panel of the header is open. A pointer that crosses other words on its slanting way into the panel keeps it; a
 * press keeps open what the pointer has opened, and closes what a press has opened.
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

/** Calls back whenever another page, or the same one again, has been gone to. */
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
