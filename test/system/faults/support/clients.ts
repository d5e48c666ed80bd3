import { setTimeout as delay } from 'node:timers/promises';
import { isFull } from './results.ts';

/** Milliseconds. Full runs check the ten seconds of docs/operations.md; short ones run beside other tests. */
const RECOVERY_LIMIT = isFull ? 10_000 : 120_000;
const POLL_INTERVAL = 50;

/**
 * Waits until a condition holds; returns the seconds that this took. A failing check counts as not yet.
 * @throws Error after `within` milliseconds
 */
export async function waitForRecovery(
  hasRecovered: () => Promise<boolean>,
  within = RECOVERY_LIMIT,
): Promise<number> {
  const started = performance.now();
  while (performance.now() - started < within) {
    if (await hasRecovered().catch(() => false)) return (performance.now() - started) / 1000;
    await delay(POLL_INTERVAL);
  }
  throw new Error(`no recovery within ${within / 1000} s`);
}

export type Clients = {
  /** Number of requests by outcome. */
  outcomes: Readonly<Record<string, number>>;
  /** Waits for running requests; returns how many requests had an outcome not in `good`. */
  stop(...good: string[]): Promise<number>;
};

/** Starts clients that each send one request after another, with a pause of milliseconds between them. */
export function startClients(
  ask: (index: number) => Promise<string>,
  { visitors, pause = 5 }: { visitors: number; pause?: number },
): Clients {
  const outcomes: Record<string, number> = {};
  let isStopped = false;
  let requestCount = 0;
  const run = async (): Promise<void> => {
    while (!isStopped) {
      requestCount += 1;
      const outcome = await ask(requestCount).catch((error: Error) => `failed: ${error.message}`);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      await delay(pause);
    }
  };
  const all = Array.from({ length: visitors }, run);
  return {
    outcomes,
    async stop(...good) {
      isStopped = true;
      await Promise.all(all);
      return Object.entries(outcomes)
        .filter(([outcome]) => !good.includes(outcome))
        .reduce((sum, [, count]) => sum + count, 0);
    },
  };
}
