import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Batch, packageText, sendBatch } from './batch/payload.ts';
import { type Running, startBoth } from './batch/processes.ts';
import { median, type Table } from './figures.ts';
import type { Bench } from './run.ts';

const MB = 1024 * 1024;
const ITEMS = 50;
/** Slightly below 100 MB in total, because the list adds some bytes. */
const ITEM_BYTES = 2 * MB - 512;
const LATER_RUNS = 3;
/** Milliseconds: longer than the idle time of checking threads. */
const SETTLE = 15_000;

/** Seconds of a batch, and memory of each process before it and its peak growth. */
type Figures = Record<'seconds' | 'communityIdle' | 'community' | 'gatewayIdle' | 'gateway', number>;

function files(run: number): Batch {
  const parts = Array.from({ length: ITEMS }, (_, index) => ({
    filename: `${index}.json`,
    chunks: () => [packageText(`files ${run} ${index}`, ITEM_BYTES)],
  }));
  return { name: `${ITEMS} files`, parts };
}

function array(run: number): Batch {
  const chunks = function* (): Generator<string> {
    for (let index = 0; index < ITEMS; index += 1) {
      yield `${index === 0 ? '[' : ',\n'}${packageText(`array ${run} ${index}`, ITEM_BYTES)}`;
    }
    yield ']';
  };
  return { name: `a list of ${ITEMS}`, parts: [{ filename: 'all.json', chunks }] };
}

/** Resident memory in MB, and its peak since `resetPeak`. */
function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

async function measure({ url, gatewayPid, communityPid, headers }: Running, batch: Batch): Promise<Figures> {
  await delay(SETTLE);
  const [community, gateway] = [memoryOf(communityPid).now, memoryOf(gatewayPid).now];
  for (const pid of [communityPid, gatewayPid]) resetPeak(pid);
  const started = performance.now();
  const results = await sendBatch(url, await headers(), batch);
  const seconds = (performance.now() - started) / 1000;
  const failed = results.filter(({ ok }) => !ok);
  if (results.length !== ITEMS || failed.length > 0) {
    throw new Error(`${results.length} results: ${JSON.stringify(failed[0]).slice(0, 500)}`);
  }
  return {
    seconds,
    communityIdle: community,
    community: memoryOf(communityPid).peak - community,
    gatewayIdle: gateway,
    gateway: memoryOf(gatewayPid).peak - gateway,
  };
}

function row(name: string, runs: readonly Figures[]): Table['rows'][number] {
  const middle = (figure: keyof Figures, digits = 0): string =>
    median(runs.map((figures) => figures[figure])).toFixed(digits);
  return [
    name,
    middle('seconds', 1),
    ...(['communityIdle', 'community', 'gatewayIdle', 'gateway'] as const).map((figure) => middle(figure)),
  ];
}

/** The first batch of two new processes, after one small package, and the median of the next ones. */
async function rowsOf(make: (run: number) => Batch): Promise<Table['rows']> {
  const running = await startBoth();
  try {
    const warmUp = { filename: 'small.json', chunks: () => [packageText('small', 20_000)] };
    await sendBatch(running.url, await running.headers(), { name: 'small', parts: [warmUp] });
    const first = await measure(running, make(0));
    const later: Figures[] = [];
    for (let run = 1; run <= LATER_RUNS; run += 1) later.push(await measure(running, make(run)));
    const { name } = make(0);
    return [row(`${name}, the first`, [first]), row(`${name}, the next ${LATER_RUNS}`, later)];
  } finally {
    await running.stop();
  }
}

/** A batch of 50 packages with 100 MB, through the gateway into the community service. */
export const batch: Bench = async () => [
  {
    title: 'Batch import of 50 packages, 100 MB in all: resident memory of each process, MB',
    head: ['batch', 'seconds', 'community before', 'at most more', 'gateway before', 'at most more'],
    rows: [...(await rowsOf(files)), ...(await rowsOf(array))],
  },
];
