import type { EmblaCarouselType } from 'embla-carousel';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import { onFirstInteraction } from '../../ui/first-interaction.ts';

const embla = lazyWithRetry(async () => (await import('embla-carousel')).default);

/** Milliseconds per banner. */
const STEP_MS = 6000;

/** Milliseconds after which an unused page counts as idle. */
const IDLE_MS = 8000;

/**
 * Starts a banner carousel on first interaction or once the page has long been idle. It advances on its own, but not
 * under the pointer, with focus inside, or with reduced motion.
 */
export function useCarousel(viewport: RefObject<HTMLDivElement | null>, count: number) {
  const carousel = useRef<Promise<EmblaCarouselType | undefined>>(undefined);
  const [index, setIndex] = useState(0);
  const [started, setStarted] = useState(false);
  const [playing, setPlaying] = useState(false);
  const [isHeld, setIsHeld] = useState(false);

  const start = useCallback((): Promise<EmblaCarouselType | undefined> => {
    carousel.current ??= embla.load().then(
      (EmblaCarousel) => {
        if (!viewport.current) return undefined;
        setStarted(true);
        const started = EmblaCarousel(viewport.current, { loop: true, duration: 30, watchFocus: false });
        started.on('select', () => setIndex(started.selectedScrollSnap()));
        started.on('pointerDown', () => setPlaying(false));
        return started;
      },
      () => {
        // The first banner stays; the next use tries again.
        carousel.current = undefined;
        return undefined;
      },
    );
    return carousel.current;
  }, [viewport]);

  useEffect(() => {
    if (count < 2) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const forget = onFirstInteraction(() => void start().then(() => setPlaying(!still)), IDLE_MS);
    return () => {
      forget();
      void carousel.current?.then((embla) => embla?.destroy());
      carousel.current = undefined;
    };
  }, [count, start]);

  useEffect(() => {
    if (!playing || isHeld) return;
    const timer = setInterval(() => void carousel.current?.then((embla) => embla?.scrollNext()), STEP_MS);
    return () => clearInterval(timer);
  }, [playing, isHeld]);

  const show = (next: number): void => {
    setPlaying(false);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    void start().then((embla) => embla?.scrollTo(next, still));
  };
  const pause = useCallback(() => setIsHeld(true), []);
  const resume = useCallback(() => setIsHeld(false), []);
  return { index, started, playing, setPlaying, show, hold: pause, release: resume };
}
