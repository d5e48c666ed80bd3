import { loadSessionKeys } from '../gateway/session/cookie.ts';
import { startWorkers, type Workers } from '../workers/primary.ts';
import type { Addresses } from '../workers/worker.ts';
import type { AppContext } from './app-context.ts';

/** Serves the gateway in as many processes of their own as WORKERS says. */
export async function startGatewayProcesses(
  { config, closing, log }: AppContext,
  addresses: Addresses,
): Promise<Workers> {
  // Made here when they are not there yet, so that all processes read the same.
  await loadSessionKeys({ configured: config.session.keys, dataDir: config.dataDir });
  const workers = await startWorkers({ count: config.workers, addresses, log });
  closing.add(workers.close);
  return workers;
}
