import { TOTAL_EXACT_UP_TO } from './constants.ts';

/** The length of a list as it is told, from a count that went no further than one above what is told exactly. */
export function cappedTotal(counted: number): { total: number; total_estimated: boolean } {
  return { total: Math.min(counted, TOTAL_EXACT_UP_TO), total_estimated: counted > TOTAL_EXACT_UP_TO };
}
