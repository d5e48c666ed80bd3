import { lazy, Suspense, useState } from 'react';
import type { DialogProps } from './dialog-window.tsx';

const GuardedWindow = lazy(() =>
  import('./guarded-window.tsx').then((module) => ({ default: module.GuardedWindow })),
);

/** A modal dialog; its code is loaded when it first opens. */
export function Dialog(props: DialogProps) {
  const [isMounted, setIsMounted] = useState(props.open);
  if (props.open && !isMounted) setIsMounted(true);
  return (
    isMounted && (
      <Suspense fallback={null}>
        <GuardedWindow {...props} />
      </Suspense>
    )
  );
}
