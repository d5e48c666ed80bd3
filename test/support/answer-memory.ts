/** Loaded before the program: answers each message of its parent with what is left in memory after collecting. */
import { collectEverything } from '../../server/settle.ts';

process.on('message', () => {
  collectEverything();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ heap: heapUsed, resident: rss });
});
process.channel?.unref();
