import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds within which everything is to be as before. */
const HEALS_WITHIN = 10_000;
const LOOK_EVERY = 50;

/**
 * Waits until `isWell` holds and answers the seconds that took.
 * @throws when it does not hold within ten seconds
 */
export async function healed(isWell: () => Promise<boolean>, within = HEALS_WITHIN): Promise<number> {
  const started = performance.now();
  while (performance.now() - started < within) {
    if (await isWell().catch(() => false)) return (performance.now() - started) / 1000;
    await delay(LOOK_EVERY);
  }
  throw new Error(`nothing has healed within ${within / 1000} s`);
}

export type Crowd = {
  /** How often each outcome has come so far. */
  outcomes: Readonly<Record<string, number>>;
  /** Lets what is under way end; answers how many requests had another outcome than one of `good`. */
  leave(...good: string[]): Promise<number>;
};

/** Visitors who ask one after another, so many at the same time, each with a breath between two requests. */
export function crowd(
  ask: (index: number) => Promise<string>,
  { visitors, breath = 5 }: { visitors: number; breath?: number },
): Crowd {
  const outcomes: Record<string, number> = {};
  let isOver = false;
  let asked = 0;
  const visit = async (): Promise<void> => {
    while (!isOver) {
      asked += 1;
      const outcome = await ask(asked).catch((error: Error) => `broken off: ${error.message}`);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      await delay(breath);
    }
  };
  const all = Array.from({ length: visitors }, visit);
  return {
    outcomes,
    async leave(...good) {
      isOver = true;
      await Promise.all(all);
      return Object.entries(outcomes)
        .filter(([outcome]) => !good.includes(outcome))
        .reduce((sum, [, count]) => sum + count, 0);
    },
  };
}
