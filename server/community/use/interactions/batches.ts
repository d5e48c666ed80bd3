import { isConflict } from '../../../database/errors.ts';

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

type Work<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

type Options<Item> = {
  /** Lanes do not wait for each other. */
  laneOf: (item: Item) => string;
  /** A batch never has two items with the same key. */
  keyOf: (item: Item) => string;
  /** Maximum items per batch. */
  sizeMax: number;
};

/** Times that work is tried after a deadlock or a failed serialization. */
const ATTEMPTS = 4;

/**
 * Batches concurrent calls by lanes: items that arrive in a lane during a batch form its next one. A single call does not
 * wait. Conflicts of the database are retried; if a batch fails, its items are tried one by one, so that each fails alone.
 * @param work returns a result per item, in the same order, and changes nothing if it fails
 */
export function coalesce<Item, Result>(
  work: Work<Item, Result>,
  { laneOf, keyOf, sizeMax }: Options<Item>,
): (item: Item) => Promise<Result> {
  const lanes = new Map<string, Waiting<Item, Result>[]>();

  async function run(lane: string): Promise<void> {
    for (let waiting = lanes.get(lane) ?? []; waiting.length > 0; waiting = lanes.get(lane) ?? []) {
      const [taken, left] = takeDifferent(waiting, keyOf, sizeMax);
      lanes.set(lane, left);
      await finish(taken, work);
    }
    lanes.delete(lane);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const lane = laneOf(item);
      const one = { item, resolve, reject };
      const waiting = lanes.get(lane);
      if (waiting) waiting.push(one);
      else {
        lanes.set(lane, [one]);
        void run(lane);
      }
    });
}

async function finish<Item, Result>(
  taken: readonly Waiting<Item, Result>[],
  work: Work<Item, Result>,
): Promise<void> {
  const found = await settled(() => work(taken.map(({ item }) => item)));
  if ('error' in found) {
    const [first, ...others] = taken;
    if (first && others.length === 0) first.reject(found.error);
    else for (const one of taken) await finish([one], work);
    return;
  }
  for (const [index, { resolve, reject }] of taken.entries()) {
    const result = found.results[index];
    if (result === undefined) reject(new Error('the batch returned no result for an item'));
    else resolve(result);
  }
}

async function settled<Results>(
  work: () => Promise<Results>,
): Promise<{ results: Results } | { error: unknown }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { results: await work() };
    } catch (error) {
      if (attempt >= ATTEMPTS || !isConflict(error)) return { error };
    }
  }
}

function takeDifferent<Item, Result>(
  waiting: readonly Waiting<Item, Result>[],
  keyOf: (item: Item) => string,
  sizeMax: number,
): [taken: Waiting<Item, Result>[], left: Waiting<Item, Result>[]] {
  const keys = new Set<string>();
  const taken: Waiting<Item, Result>[] = [];
  const left: Waiting<Item, Result>[] = [];
  for (const one of waiting) {
    const key = keyOf(one.item);
    const isTaken = taken.length < sizeMax && !keys.has(key);
    keys.add(key);
    (isTaken ? taken : left).push(one);
  }
  return [taken, left];
}
