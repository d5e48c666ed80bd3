import type { Page } from 'playwright-core';

const LONGEST = 0.01;

/** What moves for longer than `LONGEST` milliseconds; for those who asked for less motion nothing may. */
export function motions(page: Page): Promise<string[]> {
  return page.evaluate((longest) => {
    const nameOf = (animation: Animation): string =>
      animation instanceof CSSAnimation
        ? animation.animationName
        : animation instanceof CSSTransition
          ? animation.transitionProperty
          : animation.id;
    return document.getAnimations().flatMap((animation) => {
      const { activeDuration = 0 } = animation.effect?.getComputedTiming() ?? {};
      const isShort = typeof activeDuration === 'number' && activeDuration <= longest;
      if (animation.playState !== 'running' || isShort) return [];
      const { target } = animation.effect instanceof KeyframeEffect ? animation.effect : { target: null };
      return [`${nameOf(animation)} for ${activeDuration} ms: ${target?.outerHTML.slice(0, 160) ?? ''}`];
    });
  }, LONGEST);
}
