import { isConflict } from '../../../database/errors.ts';

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Does all items or none, and returns a result for each, in the same order.
 * @param isShared it has items of several queues, and may not wait for what belongs to one
 */
type Work<Item, Result> = (items: readonly Item[], isShared: boolean) => Promise<readonly Result[]>;

type Options<Item> = {
  /** Queues do not wait for each other. */
  queueOf: (item: Item) => string;
  /** A batch never has two items with the same key. */
  keyOf: (item: Item) => string;
  /** Maximum items per batch. */
  sizeMax: number;
};

/** Times that work is tried after a deadlock or a failed serialization. */
const ATTEMPTS = 4;
const SHARED = Symbol('shared');

/**
 * Batches concurrent calls: items that arrive during a batch form the next one. A single call does not wait. Items of all
 * queues share batches; those of a shared batch that fails go on in their queues, and so do the items that follow them
 * there. Conflicts of the database are retried; if a batch of a queue fails, its items are tried one by one, so that each
 * fails alone.
 */
export function coalesce<Item, Result>(
  work: Work<Item, Result>,
  { queueOf, keyOf, sizeMax }: Options<Item>,
): (item: Item) => Promise<Result> {
  const queues = new Map<string | symbol, Waiting<Item, Result>[]>();

  function join(queue: string | symbol, one: Waiting<Item, Result>): void {
    const waiting = queues.get(queue);
    if (waiting) {
      waiting.push(one);
      return;
    }
    queues.set(queue, [one]);
    void run(queue);
  }

  async function run(queue: string | symbol): Promise<void> {
    for (let waiting = queues.get(queue) ?? []; waiting.length > 0; waiting = queues.get(queue) ?? []) {
      const [taken, left] = takeDifferent(waiting, keyOf, sizeMax);
      queues.set(queue, left);
      await (queue === SHARED ? finishShared(taken) : finish(taken, (items) => work(items, false)));
    }
    queues.delete(queue);
  }

  async function finishShared(taken: readonly Waiting<Item, Result>[]): Promise<void> {
    const found = await settled(() =>
      work(
        taken.map(({ item }) => item),
        true,
      ),
    );
    if ('error' in found) for (const one of taken) join(queueOf(one.item), one);
    else settle(taken, found.results);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const own = queueOf(item);
      join(queues.has(own) ? own : SHARED, { item, resolve, reject });
    });
}

async function finish<Item, Result>(
  taken: readonly Waiting<Item, Result>[],
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  const found = await settled(() => work(taken.map(({ item }) => item)));
  if ('error' in found) {
    const [first, ...others] = taken;
    if (first && others.length === 0) first.reject(found.error);
    else for (const one of taken) await finish([one], work);
    return;
  }
  settle(taken, found.results);
}

function settle<Item, Result>(taken: readonly Waiting<Item, Result>[], results: readonly Result[]): void {
  for (const [index, { resolve, reject }] of taken.entries()) {
    const result = results[index];
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
