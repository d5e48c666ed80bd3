const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A month is a twelfth of a year, as in formatters of relative times. */
const UNITS = [
  ['month', (365 / 12) * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const;

type Ago = { unit: (typeof UNITS)[number][0]; milliseconds: number };

/**
 * An age in milliseconds as whole months, days, hours or minutes that have passed, at least one minute
 * (R 3.16): 59.9 minutes are 59 minutes, not 60.
 */
export function timeAgo(age: number): Ago {
  const [unit, length] = UNITS.find(([, milliseconds]) => age >= milliseconds) ?? ['minute', MINUTE];
  return { unit, milliseconds: Math.max(1, Math.floor(age / length)) * length };
}
