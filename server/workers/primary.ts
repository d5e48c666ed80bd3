import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { startError } from '../database/errors.ts';
import { type Addresses, Begun, Figures, onMessage } from './worker.ts';

/** Milliseconds before a process that has ended is replaced: one that cannot live must not take the machine. */
const REPLACE_AFTER = 1000;

export type Workers = {
  /** Those that take requests now. */
  all(): readonly Worker[];
  /** Has all finish what is under way, and waits until they have ended. */
  close(): Promise<void>;
};

/**
 * Starts `count` gateway processes, which listen on one port together, and replaces one that ends.
 * @throws StartError when one of them cannot start; it has said why itself
 */
export async function startWorkers({
  count,
  addresses,
  log,
}: {
  count: number;
  addresses: Addresses;
  log: Logger;
}): Promise<Workers> {
  const running = new Set<Worker>();
  const ended = new Set<Promise<unknown>>();
  let isClosing = false;

  async function startOne(): Promise<void> {
    const worker = cluster.fork();
    const end = once(worker, 'exit');
    ended.add(end);
    void end.then(() => ended.delete(end));
    worker.send({ begin: addresses });
    const { promise: begun, resolve } = Promise.withResolvers<true>();
    const stop = onMessage(worker, Begun, () => resolve(true));
    const isBegun = await Promise.race([begun, end.then(() => false)]);
    stop();
    if (!isBegun) throw startError('A gateway process could not start; its own message says why.');
    running.add(worker);
    void end.then(([status, signal]) => replace(worker, { status, signal }));
    if (isClosing) worker.send({ end: true });
  }

  async function replace(
    worker: Worker,
    { status, signal }: { status: unknown; signal: unknown },
  ): Promise<void> {
    running.delete(worker);
    if (isClosing) return;
    log.error({ pid: worker.process.pid, status, signal }, 'a gateway process has ended and is replaced');
    while (!isClosing) {
      await delay(REPLACE_AFTER, undefined, { ref: false });
      if (isClosing) return;
      try {
        return await startOne();
      } catch (error) {
        log.error({ err: error }, 'a gateway process could not be replaced; tried again');
      }
    }
  }

  const close = async (): Promise<void> => {
    isClosing = true;
    for (const worker of running) if (worker.isConnected()) worker.send({ end: true });
    await Promise.all(ended);
  };
  try {
    await Promise.all(Array.from({ length: count }, startOne));
  } catch (error) {
    await close();
    throw error;
  }
  return { all: () => [...running], close };
}

/** Milliseconds that a process has to tell its figures; a busy one is left out of this answer. */
const FIGURES_WITHIN = 2000;

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
    const timer = setTimeout(finish, FIGURES_WITHIN, []);
    const stop = onMessage(worker, Figures, ({ figures, values }) => {
      if (figures === number) finish(values);
    });
    worker.send({ askFigures: number });
  });
}
