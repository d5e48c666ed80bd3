import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';

/** Starts a worker with the addresses of the services. */
const Start = Type.Object({
  start: Type.Object({ community: Type.String(), identity: Type.String() }),
});
export type Addresses = Static<typeof Start>['start'];

/** A worker accepts requests. */
export const Started = Type.Object({ started: Type.Literal(true) });

/** Requests a worker's metrics; the response has the same number. */
const ReadMetrics = Type.Object({ readMetrics: Type.Integer() });
export const Metrics = Type.Object({ metrics: Type.Integer(), values: Type.Array(Type.Object({})) });

/** All reasons why features of a worker are degraded. */
export const DegradedReasons = Type.Object({ degraded: Type.Array(Type.String()) });

/** Tells the primary process why features of this worker are degraded. */
export function tellDegraded(degraded: string[]): void {
  process.send?.({ degraded } satisfies Static<typeof DegradedReasons>);
}

/** Ends a worker like a signal. */
const End = Type.Object({ end: Type.Literal(true) });

type Emitter = {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
};

/** Calls `act` for each message of one kind. @returns a function that stops it */
export function onMessage<S extends TSchema>(
  from: Emitter,
  kind: S,
  act: (message: Static<S>) => void,
): () => void {
  const listener = (message: unknown): void => {
    if (Check(kind, message)) act(message);
  };
  from.on('message', listener);
  return () => void from.off('message', listener);
}

type Gateway = {
  serve: (addresses: Addresses) => Promise<unknown>;
  /** Ends the gateway after its current requests. */
  close: () => Promise<void>;
  registry: Registry;
};

/**
 * Runs a gateway in a worker process, controlled by messages of the primary process.
 * @throws the error of `serve`
 */
export async function runWorker({ serve, close, registry }: Gateway): Promise<void> {
  const addresses = await new Promise<Addresses>((resolve) => {
    const stop = onMessage(process, Start, ({ start }) => {
      stop();
      resolve(start);
    });
  });
  onMessage(process, ReadMetrics, ({ readMetrics: request }) => {
    void registry.getMetricsAsJSON().then((values) => process.send?.({ metrics: request, values }));
  });
  onMessage(process, End, () => {
    void close().then(() => cluster.worker?.disconnect());
  });
  await serve(addresses);
  process.send?.({ started: true });
}
