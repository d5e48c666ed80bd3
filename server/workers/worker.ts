import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';

/** What a gateway process needs to begin: where the services are. */
const Begin = Type.Object({
  begin: Type.Object({ community: Type.String(), identity: Type.String() }),
});
export type Addresses = Static<typeof Begin>['begin'];

/** A gateway process takes requests. */
export const Begun = Type.Object({ begun: Type.Literal(true) });

/** Asks for a process's figures; the answer carries the same number. */
const AskFigures = Type.Object({ askFigures: Type.Integer() });
export const Figures = Type.Object({ figures: Type.Integer(), values: Type.Array(Type.Object({})) });

/** Ends a gateway process as a signal does. */
const End = Type.Object({ end: Type.Literal(true) });

type Emitter = {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
};

/** Calls back for each message of one kind; what it answers stops that. */
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
