import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { startError } from '../database/errors.ts';
import { type Addresses, DegradedReasons, Metrics, onMessage, Started } from './worker.ts';

/** Delay before an ended process is replaced, so that a process that fails at once does not use up the CPU. */
const RESTART_DELAY_MS = 1000;

export type Workers = {
  /** The workers that accept requests. */
  all(): readonly Worker[];
  /** Why features of workers are degraded, each reason once. */
  degraded(): readonly string[];
  /** Ends all workers after their current requests, and waits for their exit. */
  close(): Promise<void>;
};

/**
 * Starts `count` gateway processes that share a port, and replaces a process that ends.
 * @throws StartError when a process cannot start; it has written the reason itself
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
  const degraded = new Map<Worker, readonly string[]>();
  let isClosing = false;

  async function startOne(): Promise<void> {
    const worker = cluster.fork();
    const end = once(worker, 'exit');
    ended.add(end);
    void end.then(() => {
      ended.delete(end);
      degraded.delete(worker);
    });
    onMessage(worker, DegradedReasons, (told) => degraded.set(worker, told.degraded));
    tell(worker, { start: addresses });
    const { promise: started, resolve } = Promise.withResolvers<true>();
    const stop = onMessage(worker, Started, () => resolve(true));
    const isStarted = await Promise.race([started, end.then(() => false)]);
    stop();
    if (!isStarted) throw startError('A gateway process could not start; see its own message.');
    running.add(worker);
    void end.then(([status, signal]) => replace(worker, { status, signal }));
    if (isClosing) tell(worker, { end: true });
  }

  async function replace(
    worker: Worker,
    { status, signal }: { status: unknown; signal: unknown },
  ): Promise<void> {
    running.delete(worker);
    if (isClosing) return;
    log.error({ pid: worker.process.pid, status, signal }, 'a gateway process has ended and is replaced');
    while (!isClosing) {
      await delay(RESTART_DELAY_MS, undefined, { ref: false });
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
    for (const worker of running) tell(worker, { end: true });
    await Promise.all(ended);
  };
  try {
    await Promise.all(Array.from({ length: count }, startOne));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    all: () => [...running],
    degraded: () => [...new Set([...degraded.values()].flat())],
    close,
  };
}

/** Sends nothing to a worker whose channel has closed: it is ending. Without the callback, Node would emit an 'error'. */
function tell(worker: Worker, message: object): void {
  worker.send(message, () => undefined);
}

/** A worker that is too busy to answer in time, or is ending, is left out. */
const METRICS_TIMEOUT_MS = 2000;

let lastRequest = 0;

/** The aggregated metrics of this process and all workers. */
export async function aggregateMetrics(registry: Registry, workers: readonly Worker[]): Promise<string> {
  const metrics = await Promise.all([registry.getMetricsAsJSON(), ...workers.map(readMetrics)]);
  return AggregatorRegistry.aggregate(metrics).metrics();
}

function readMetrics(worker: Worker): Promise<object[]> {
  lastRequest += 1;
  const request = lastRequest;
  return new Promise((resolve) => {
    const finish = (values: object[]): void => {
      clearTimeout(timer);
      stop();
      resolve(values);
    };
    const timer = setTimeout(finish, METRICS_TIMEOUT_MS, []);
    const stop = onMessage(worker, Metrics, ({ metrics, values }) => {
      if (metrics === request) finish(values);
    });
    worker.send({ readMetrics: request }, (error) => {
      if (error) finish([]);
    });
  });
}
