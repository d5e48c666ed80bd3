import { median, type Table } from '../figures.ts';
import { type Load, load } from './load.ts';
import type { Measured } from './processes.ts';

const ROUNDS = 5;
const SECONDS = 4;
const WARM_UP = 3;
const FIGURES = ['rate', 'p50', 'p99', 'cpu'] as const;

/** Ratios to the first in the same round, so that other load of the machine affects all alike. */
export async function speed(title: string, all: readonly Measured[]): Promise<Table> {
  for (const measured of all) await load(measured, WARM_UP);
  const rounds: Load[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const loads: Load[] = [];
    for (const measured of all) loads.push(await load(measured, SECONDS));
    rounds.push(loads);
  }
  const ratio = (index: number, figure: keyof Load): string =>
    median(rounds.map((loads) => (loads[index]?.[figure] ?? 0) / (loads[0]?.[figure] ?? 1))).toFixed(2);
  const value = (index: number, figure: keyof Load): number =>
    Math.round(median(rounds.map((loads) => loads[index]?.[figure] ?? 0)));
  return {
    title,
    head: ['server', 'rate', 'p50', 'p99', 'CPU a call', 'calls a second', 'p50 ms', 'p99 ms', 'CPU µs'],
    rows: all.map(({ name }, index) => [
      name,
      ...FIGURES.map((figure) => ratio(index, figure)),
      ...FIGURES.map((figure) => value(index, figure)),
    ]),
  };
}
