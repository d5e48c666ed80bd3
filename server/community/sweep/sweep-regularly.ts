import type { FastifyInstance } from 'fastify';
import { type SweepParts, sweep } from './sweep.ts';

const MINUTE = 60_000;
/** What a killed program has left is looked at soon after the next start, and everything every hour. */
const FIRST_AFTER = MINUTE;
const EVERY = 60 * MINUTE;

/** Sweeps now and then while the app listens; closing waits for a sweep that is under way to stop. */
export function sweepRegularly(app: FastifyInstance, parts: Omit<SweepParts, 'dryRun' | 'signal'>): void {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;
  const run = () => {
    sweeping = sweepOnce(parts, stop.signal);
    timer = setTimeout(run, EVERY).unref();
  };
  app.addHook('onListen', async () => {
    timer = setTimeout(run, FIRST_AFTER).unref();
  });
  app.addHook('onClose', async () => {
    stop.abort();
    clearTimeout(timer);
    await sweeping;
  });
}

async function sweepOnce(parts: Omit<SweepParts, 'signal'>, signal: AbortSignal): Promise<void> {
  try {
    const swept = await sweep({ ...parts, signal });
    if (swept && Object.values(swept).some((count) => count > 0))
      parts.log.info(swept, 'swept the file store');
  } catch (error) {
    parts.log.warn({ err: error }, 'the file store could not be swept');
  }
}
