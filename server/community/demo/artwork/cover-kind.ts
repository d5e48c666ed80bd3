import type { Scheme } from './palette.ts';
import { box, type Random } from './shape.ts';

/** Draws what a plugin does on a 1920 × 1080 field; `density` (1 to 3) is how much of it there is. */
export type CoverMotif = (scheme: Scheme, random: Random, density: number) => string;

/** A card lifted off the background by a shadow. */
export function panel(
  scheme: Scheme,
  x: number,
  y: number,
  width: number,
  height: number,
  radius = 32,
  fill = scheme.surface,
): string {
  return box(x, y, width, height, radius, fill, 'filter="url(#lift)"');
}

/** A line of words seen from afar. */
export function words(x: number, y: number, width: number, height: number, fill: string): string {
  return box(x, y, width, height, height / 2, fill);
}

/** The colours that tell series apart, strongest first. */
export function seriesOf(scheme: Scheme): [string, string, string, string, string] {
  return [
    scheme.tone,
    scheme.accent,
    scheme.pop,
    scheme.bright,
    scheme.ground === 'dark' ? scheme.main : scheme.deep,
  ];
}
