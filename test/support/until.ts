import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two looks. How long one waits is the test's own limit, so a busy machine is waited for. */
const LOOK_EVERY = 5;

/** What `read` finds, once it finds something. */
export async function until<T>(
  read: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  for (;;) {
    const found = await read();
    if (found !== undefined && found !== false) return found;
    await delay(LOOK_EVERY);
  }
}
