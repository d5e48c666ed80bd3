import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';
import { NUMBER_INPUT } from '../../../shared/constants.ts';

type HoldHandlers = {
  onPointerDown: (event: PointerEvent) => void;
  onPointerUp: () => void;
  onPointerLeave: () => void;
  onPointerCancel: () => void;
  onClick: (event: MouseEvent) => void;
};

/** Does something once when a button is clicked and, while it is held, every 100 ms until it is disabled. */
export function useHold(act: () => void, disabled: boolean): HoldHandlers {
  const current = useRef(act);
  const timer = useRef<ReturnType<typeof setInterval>>(undefined);
  const hasRepeated = useRef(false);
  useEffect(() => {
    current.current = act;
  });
  const stop = (): void => clearInterval(timer.current);
  useEffect(() => () => clearInterval(timer.current), []);
  useEffect(() => {
    if (!disabled) return;
    clearInterval(timer.current);
    hasRepeated.current = false;
  }, [disabled]);
  return {
    onPointerDown({ button }) {
      stop();
      if (button !== 0) return;
      hasRepeated.current = false;
      timer.current = setInterval(() => {
        hasRepeated.current = true;
        current.current();
      }, NUMBER_INPUT.repeat);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    // The click that ends a hold has been counted; one by voice or a screen reader has no press before it.
    onClick({ detail }) {
      if (detail === 0 || !hasRepeated.current) current.current();
      hasRepeated.current = false;
    },
  };
}
