import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * A part of the frame that is fetched, once, when first wanted. A fetch that fails leaves the page as it is, is told to
 * `onMissing`, and begins again when the part is wanted again.
 */
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
