import type { FastifyInstance } from 'fastify';
import { type SweepOptions, sweep } from './sweep.ts';

const MINUTE = 60_000;
/** Milliseconds until the first sweep, which removes the files of killed processes, and between two sweeps. */
const FIRST_SWEEP = MINUTE;
const SWEEP_INTERVAL = 60 * MINUTE;

/** Sweeps regularly while the app listens; on close a running sweep ends early. */
export async function sweeping(app: FastifyInstance): Promise<void> {
  const { db, files, dataDir, clock: now, log } = app;
  const options = { db, files, dataDir, now, log };
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;
  const run = () => {
    sweeping = sweepOnce(options, stop.signal);
    timer = setTimeout(run, SWEEP_INTERVAL).unref();
  };
  app.addHook('onListen', async () => {
    timer = setTimeout(run, FIRST_SWEEP).unref();
  });
  app.addHook('onClose', async () => {
    stop.abort();
    clearTimeout(timer);
    await sweeping;
  });
}

async function sweepOnce(options: Omit<SweepOptions, 'signal'>, signal: AbortSignal): Promise<void> {
  try {
    const swept = await sweep({ ...options, signal });
    if (swept && Object.values(swept).some((count) => count > 0))
      options.log.info(swept, 'swept the file store');
  } catch (error) {
    options.log.warn({ err: error }, 'sweep failed');
  }
}
