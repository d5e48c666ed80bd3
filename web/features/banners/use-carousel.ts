import type { EmblaCarouselType } from 'embla-carousel';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { onFirstInteraction } from '../../ui/first-interaction.ts';

/** Milliseconds per banner. */
const STAY = 6000;

/** Milliseconds after which an unused page counts as idle. */
const LATE = 8000;

/**
 * Starts a banner carousel on first interaction or once the page has long been idle. It advances on its own, but not
 * under the pointer, with focus inside, or with reduced motion.
 */
export function useCarousel(viewport: RefObject<HTMLDivElement | null>, count: number) {
  const carousel = useRef<Promise<EmblaCarouselType | undefined>>(undefined);
  const [index, setIndex] = useState(0);
  const [started, setStarted] = useState(false);
  const [playing, setPlaying] = useState(false);
  const [held, setHeld] = useState(false);

  const start = useCallback((): Promise<EmblaCarouselType | undefined> => {
    carousel.current ??= import('embla-carousel').then(({ default: EmblaCarousel }) => {
      if (!viewport.current) return undefined;
      setStarted(true);
      const made = EmblaCarousel(viewport.current, { loop: true, duration: 30, watchFocus: false });
      made.on('select', () => setIndex(made.selectedScrollSnap()));
      made.on('pointerDown', () => setPlaying(false));
      return made;
    });
    return carousel.current;
  }, [viewport]);

  useEffect(() => {
    if (count < 2) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const forget = onFirstInteraction(() => void start().then(() => setPlaying(!still)), LATE);
    return () => {
      forget();
      void carousel.current?.then((made) => made?.destroy());
      carousel.current = undefined;
    };
  }, [count, start]);

  useEffect(() => {
    if (!playing || held) return;
    const timer = setInterval(() => void carousel.current?.then((made) => made?.scrollNext()), STAY);
    return () => clearInterval(timer);
  }, [playing, held]);

  const show = (next: number): void => {
    setPlaying(false);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    void start().then((made) => made?.scrollTo(next, still));
  };
  const hold = useCallback(() => setHeld(true), []);
  const release = useCallback(() => setHeld(false), []);
  return { index, started, playing, setPlaying, show, hold, release };
}
