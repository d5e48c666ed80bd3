import { useEffect, useEffectEvent, useState } from 'react';
import type { PageLocation } from './page-location.ts';
import { useBlock } from './router-context.ts';

type Move = { currentLocation: PageLocation; nextLocation: PageLocation };

/** Whether somebody waits to leave the page, and what becomes of it. */
export type Blocked = { isBlocked: boolean; proceed: () => void; reset: () => void };

/** Keeps the visitor on the page while `blocks` says so; he may then `proceed` all the same, or stay by `reset`. */
export function useBlocker(blocks: (move: Move) => boolean): Blocked {
  const block = useBlock();
  const [proceed, setProceed] = useState<() => void>();
  const mayBlock = useEffectEvent(blocks);
  useEffect(
    () =>
      block((currentLocation, nextLocation, goOn) => {
        const isBlocked = mayBlock({ currentLocation, nextLocation });
        setProceed(isBlocked ? () => goOn : undefined);
        return isBlocked;
      }),
    [block],
  );
  const reset = (): void => setProceed(undefined);
  return {
    isBlocked: proceed !== undefined,
    proceed: () => {
      reset();
      proceed?.();
    },
    reset,
  };
}
