import { useCallback, useEffect, useRef, useState } from 'react';

/** A lazy component, loaded once on first use. A failed load calls `onMissing` and is retried on the next use. */
export function useLazyComponent<Part>(
  load: () => Promise<Part>,
  onMissing?: () => void,
): { part: { Part: Part } | undefined; want: () => void } {
  const [part, setPart] = useState<{ Part: Part }>();
  const isAsked = useRef(false);
  const missing = useRef(onMissing);
  useEffect(() => {
    missing.current = onMissing;
  });
  const want = useCallback(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    load().then(
      (Part) => setPart({ Part }),
      () => {
        isAsked.current = false;
        missing.current?.();
      },
    );
  }, [load]);
  return { part, want };
}
