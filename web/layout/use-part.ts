import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react';
import type { Messages } from 'use-intl';

type Texts = Partial<Messages>;

/** Fetches the texts of parts that no first view shows; each call after the first is answered at once. */
export const LaterTextsContext = createContext<() => Promise<Texts>>(async () => ({}));

/** A part's code with the texts it shows, to be put around it by MoreTexts. */
type Loaded<Part> = { Part: Part; texts: Texts };

/**
 * A part of the frame that is fetched, once, when first wanted. A fetch that fails leaves the page as it is, is told to
 * `onMissing`, and is begun anew when the part is wanted again.
 */
export function usePart<Part>(
  load: () => Promise<Part>,
  onMissing?: () => void,
): { part: Loaded<Part> | undefined; want: () => void } {
  const loadTexts = useContext(LaterTextsContext);
  const [part, setPart] = useState<Loaded<Part>>();
  const isAsked = useRef(false);
  const missing = useRef(onMissing);
  useEffect(() => {
    missing.current = onMissing;
  });
  const want = useCallback(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    Promise.all([load(), loadTexts()]).then(
      ([Part, texts]) => setPart({ Part, texts }),
      () => {
        isAsked.current = false;
        missing.current?.();
      },
    );
  }, [load, loadTexts]);
  return { part, want };
}
