import type { DayFigures } from '../../../../shared/entities/backstage.ts';

/** What is counted per day. */
export const FIGURES = [
  'installs',
  'views',
  'likes',
  'publications',
  'waiting',
] as const satisfies readonly (keyof DayFigures)[];
export type Figure = (typeof FIGURES)[number];
