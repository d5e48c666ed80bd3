/** Loaded before the program: answers each message of its parent with what is left in memory after collecting. */
import { setTimeout as delay } from 'node:timers/promises';
import { collectEverything } from '../../server/trim-heap.ts';

/** What is freed when its holder is collected is itself collected the next time, after the callbacks between. */
const PAUSE = 200;
const ROUNDS_MAX = 20;
/** Less than this share freed: nothing is left to be. */
const LITTLE = 0.005;

/** Collects until it frees next to nothing more. */
async function collectAll(): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    collectEverything();
    const { heapUsed } = process.memoryUsage();
    if (heapUsed > before * (1 - LITTLE)) return;
    before = heapUsed;
    await delay(PAUSE);
  }
}

process.on('message', async () => {
  await collectAll();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ heap: heapUsed, resident: rss });
});
process.channel?.unref();
