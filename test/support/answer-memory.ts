/** Loaded before the program: replies to each message of its parent with the memory usage after garbage collection. */
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Some objects are only collected after the callbacks of the previous collection. */
const PAUSE = 200;
const ROUNDS_MAX = 20;
/** If a collection frees a smaller share, it was the last one. */
const LITTLE = 0.005;

setFlagsFromString('--expose-gc');
const collect: (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void =
  runInNewContext('gc');
setFlagsFromString('--no-expose-gc');

/** Collects garbage until almost nothing more is freed. */
async function collectAll(): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
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
