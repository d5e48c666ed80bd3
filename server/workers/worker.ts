import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import { type Addresses, AskFigures, Begin, End, onMessage } from './messages.ts';

type Work = {
  /** Serves the gateway. */
  serve: (addresses: Addresses) => Promise<unknown>;
  /** Ends it, finishing what is under way. */
  close: () => Promise<void>;
  registry: Registry;
};

/**
 * Runs a gateway process on behalf of the one that started it: begins when told where the services are, answers with its
 * figures, ends when told to.
 * @throws what `serve` throws
 */
export async function runWorker({ serve, close, registry }: Work): Promise<void> {
  const addresses = await new Promise<Addresses>((resolve) => {
    const stop = onMessage(process, Begin, ({ begin }) => {
      stop();
      resolve(begin);
    });
  });
  onMessage(process, AskFigures, ({ askFigures }) => {
    void registry.getMetricsAsJSON().then((values) => process.send?.({ figures: askFigures, values }));
  });
  onMessage(process, End, () => {
    void close().then(() => cluster.worker?.disconnect());
  });
  await serve(addresses);
  process.send?.({ begun: true });
}
