import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two looks, and after which nothing comes any more, however busy the machine is. */
const LOOK_EVERY = 5;
const LONGEST = 120_000;

/** What `read` finds, once it finds something. @throws Error that says where nothing was found */
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
