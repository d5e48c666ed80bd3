import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two attempts, and the timeout, which is enough for a busy machine. */
const LOOK_EVERY = 5;
const LONGEST = 120_000;

/** Waits until `read` returns a value. @throws Error with the caller's place after the timeout */
export async function until<T>(
  read: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const tooLate = new Error(`waited ${LONGEST / 1000} s for nothing: ${read}`);
  const last = performance.now() + LONGEST;
  for (;;) {
    const found = await read();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > last) throw tooLate;
    await delay(LOOK_EVERY);
  }
}
