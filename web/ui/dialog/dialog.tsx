import { useState } from 'react';
import { Lazy } from '../../loading/lazy.tsx';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import type { DialogProps } from './dialog-window.tsx';

/** Pages with forms have it from the start (with-dialogs.ts). */
export const guardedWindow = lazyWithRetry(async () => (await import('./guarded-window.tsx')).GuardedWindow);

/** A modal dialog; its code is loaded when it first opens. */
export function Dialog(props: DialogProps) {
  const [isMounted, setIsMounted] = useState(props.open);
  if (props.open && !isMounted) setIsMounted(true);
  return (
    isMounted && (
      <Lazy
        part={guardedWindow}
        onFailed={() => {
          setIsMounted(false);
          props.onClose();
        }}
      >
        {(GuardedWindow) => <GuardedWindow {...props} />}
      </Lazy>
    )
  );
}
