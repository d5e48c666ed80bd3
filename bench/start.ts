import { makeDataFolder, startProduct } from '../test/support/product.ts';
import { median, type Table } from './figures.ts';
import { memoryOf } from './process-memory.ts';
import type { Bench } from './run.ts';

const FIRST_RUNS = 3;
const LATER_RUNS = 5;
const SETTLE = 5000;

async function once(dataDir: string): Promise<{ seconds: number; program: number; database: number }> {
  const product = await startProduct(dataDir);
  await new Promise((resolve) => setTimeout(resolve, SETTLE));
  const memory = memoryOf(product);
  await product.stop();
  return { seconds: product.secondsToFirstAnswer, ...memory };
}

/** Time from start to the first home page, with an empty and with a used data folder. */
export const start: Bench = async () => {
  const first: Awaited<ReturnType<typeof once>>[] = [];
  const later: Awaited<ReturnType<typeof once>>[] = [];
  for (let run = 0; run < FIRST_RUNS; run += 1) {
    const { dir, remove } = await makeDataFolder();
    first.push(await once(dir));
    if (run === FIRST_RUNS - 1)
      for (let again = 0; again < LATER_RUNS; again += 1) later.push(await once(dir));
    await remove();
  }
  const row = (name: string, runs: typeof first): Table['rows'][number] => [
    name,
    median(runs.map((run) => run.seconds)).toFixed(2),
    median(runs.map((run) => run.program)).toFixed(0),
    median(runs.map((run) => run.database)).toFixed(0),
  ];
  return [
    {
      title: 'Start to the first answered request, and memory 5 s later',
      head: ['run', 'seconds', 'gateway + community + identity, MiB', 'database, MiB'],
      rows: [row('first', first), row('later', later)],
    },
  ];
};
