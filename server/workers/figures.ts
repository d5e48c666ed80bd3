import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { Figures, onMessage } from './messages.ts';

/** Milliseconds that a process has to tell its figures; a busy one is left out of this answer. */
const TIMEOUT_MS = 2000;

let asked = 0;

/** The figures of this process and of all gateway processes, added up. */
export async function figuresOfAll(registry: Registry, workers: readonly Worker[]): Promise<string> {
  const told = await Promise.all([registry.getMetricsAsJSON(), ...workers.map(figuresOf)]);
  return AggregatorRegistry.aggregate(told).metrics();
}

function figuresOf(worker: Worker): Promise<object[]> {
  asked += 1;
  const number = asked;
  return new Promise((resolve) => {
    const finish = (values: object[]): void => {
      clearTimeout(timer);
      stop();
      resolve(values);
    };
    const timer = setTimeout(finish, TIMEOUT_MS, []);
    const stop = onMessage(worker, Figures, ({ figures, values }) => {
      if (figures === number) finish(values);
    });
    worker.send({ askFigures: number });
  });
}
