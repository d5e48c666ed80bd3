type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Batches concurrent calls: items that arrive during a batch form the next one. A single call does not wait.
 * @param work returns a result per item, in the same order; a batch never has two items with the same key
 * @param sizeMax maximum items per batch
 */
export function batchCalls<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  keyOf: (item: Item) => string,
  sizeMax: number,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isBusy = false;

  async function run(): Promise<void> {
    isBusy = true;
    while (waiting.length > 0) {
      const [taken, left] = takeDifferent(waiting, keyOf, sizeMax);
      waiting = left;
      await finish(taken, work);
    }
    isBusy = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isBusy) void run();
    });
}

async function finish<Item, Result>(
  taken: readonly Waiting<Item, Result>[],
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await work(taken.map(({ item }) => item));
    for (const [index, { resolve, reject }] of taken.entries()) {
      const result = results[index];
      if (result === undefined) reject(new Error('the batch returned no result for an item'));
      else resolve(result);
    }
  } catch (error) {
    for (const { reject } of taken) reject(error);
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
