type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Does at once what is asked for at the same time: whatever comes while some work goes on waits for its end and then
 * goes together. Alone, nothing waits.
 * @param work answers a result for each item, in their order; it never gets two items of one key
 * @param most items that go together at a time
 */
export function inBatches<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  keyOf: (item: Item) => string,
  most: number,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isBusy = false;

  async function run(): Promise<void> {
    isBusy = true;
    while (waiting.length > 0) {
      const [taken, left] = takeDifferent(waiting, keyOf, most);
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
      if (result === undefined) reject(new Error('an item that went with others was not answered'));
      else resolve(result);
    }
  } catch (error) {
    for (const { reject } of taken) reject(error);
  }
}

function takeDifferent<Item, Result>(
  waiting: readonly Waiting<Item, Result>[],
  keyOf: (item: Item) => string,
  most: number,
): [taken: Waiting<Item, Result>[], left: Waiting<Item, Result>[]] {
  const keys = new Set<string>();
  const taken: Waiting<Item, Result>[] = [];
  const left: Waiting<Item, Result>[] = [];
  for (const one of waiting) {
    const key = keyOf(one.item);
    const isTaken = taken.length < most && !keys.has(key);
    keys.add(key);
    (isTaken ? taken : left).push(one);
  }
  return [taken, left];
}
