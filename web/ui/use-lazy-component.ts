import { useCallback, useEffect, useRef, useState } from 'react';

/** A lazy component, loaded once on first use. A failed load calls `onError` and is retried on the next use. */
export function useLazyComponent<Component>(
  importComponent: () => Promise<Component>,
  onError?: () => void,
): { lazy: { Component: Component } | undefined; load: () => void } {
  const [lazy, setLazy] = useState<{ Component: Component }>();
  const isRequested = useRef(false);
  const latestOnError = useRef(onError);
  useEffect(() => {
    latestOnError.current = onError;
  });
  const load = useCallback(() => {
    if (isRequested.current) return;
    isRequested.current = true;
    importComponent().then(
      (Component) => setLazy({ Component }),
      () => {
        isRequested.current = false;
        latestOnError.current?.();
      },
    );
  }, [importComponent]);
  return { lazy, load };
}
