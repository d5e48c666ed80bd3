import type { FastifyInstance } from 'fastify';
import { repeatWhileListening } from '../../http/repeat.ts';
import { sweep } from './sweep.ts';

const MINUTE = 60_000;
/** Milliseconds until the first sweep, which removes the files of killed processes, and between two sweeps. */
const FIRST_SWEEP = MINUTE;
const SWEEP_INTERVAL = 60 * MINUTE;

/** Sweeps regularly while the app listens; on close a running sweep ends early. */
export async function sweeping(app: FastifyInstance): Promise<void> {
  const { db, files, dataDir, clock: now, log } = app;
  repeatWhileListening(app, {
    every: SWEEP_INTERVAL,
    first: FIRST_SWEEP,
    log,
    failed: 'sweep failed',
    recovered: 'sweeps succeed again',
    async run(signal) {
      const swept = await sweep({ db, files, dataDir, now, log, signal });
      if (swept && Object.values(swept).some((count) => count > 0)) log.info(swept, 'swept the file store');
    },
  });
}
