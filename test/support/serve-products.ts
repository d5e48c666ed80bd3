/**
 * A process with any number of products, for `serveProduct`: what each would load and compile takes more of a processor than most
 * tests.
 */
import { Registry } from 'prom-client';
import { loadConfig } from '../../server/config.ts';
import { createLog } from '../../server/http/log.ts';
import { startServices } from '../../server/roles/services.ts';
import { createClosing } from '../../server/runtime/closing.ts';
import type { Order, Outcome } from './product-host.ts';

/** Browser tests see what users see; what operators read has tests of its own. */
const NO_LOG = { write: () => {} };

const ends = new Map<string, () => Promise<void>>();

/** @throws StartError naming every bad setting */
async function start(settings: Readonly<Record<string, string>>): Promise<() => Promise<void>> {
  const config = loadConfig(settings);
  const log = createLog({ level: 'warn', version: config.version, destination: NO_LOG });
  const closing = createClosing(log);
  try {
    await startServices({ config, log, registry: new Registry(), closing, degraded: new Map() });
  } catch (error) {
    await closing.close();
    throw error;
  }
  return () => closing.close();
}

async function follow({ id, settings }: Order): Promise<void> {
  if (settings) ends.set(id, await start(settings));
  else {
    const end = ends.get(id);
    ends.delete(id);
    await end?.();
  }
}

process.on('message', (order: Order) => {
  const answer = (outcome: Outcome): void => void process.send?.(outcome);
  follow(order).then(
    () => answer({ id: order.id }),
    (error: unknown) =>
      answer({ id: order.id, failure: error instanceof Error ? error.message : String(error) }),
  );
});
process.once('disconnect', () => process.exit());
