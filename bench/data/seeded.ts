/** Pseudo-random numbers that depend only on the row and a purpose, so that data can be reproduced. */

/** A whole number from 0 to 2^32 - 1 for a row and a purpose (the final mix of MurmurHash3). */
export function hash(row: number, purpose: number): number {
  let mixed = (Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(purpose + 1, 0x85ebca77)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** From 0 inclusive to 1 exclusive. */
export function share(row: number, purpose: number): number {
  return hash(row, purpose) / 2 ** 32;
}

export function pick<T>(list: readonly T[], row: number, purpose: number): T {
  const one = list[hash(row, purpose) % list.length];
  if (one === undefined) throw new RangeError('the list is empty');
  return one;
}
