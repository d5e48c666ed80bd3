import { setImmediate as nextTurn } from 'node:timers/promises';

/** A turn of the event loop this short, milliseconds, has had next to nothing to do; turns looked at in all. */
const SHORT = 0.3;
const MOST_TURNS = 1000;

/**
 * Waits for a turn in which every connection that the system has ready has just been taken. A port that is closed in the
 * midst of work resets those that still wait at it, with requests that front ends have sent and may not send again.
 */
export async function idleEventLoop(): Promise<void> {
  let before = performance.now();
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    await nextTurn();
    const now = performance.now();
    if (now - before < SHORT) return;
    before = now;
  }
}
