/** Milliseconds by which the clock of another service may be off. */
export const CLOCK_SKEW = 3 * 60 * 1000;
