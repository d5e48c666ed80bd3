import type { FastifyBaseLogger } from 'fastify';

/** Work that an answer does not wait for. */
export type Background = {
  /** What fails is logged. */
  run(log: FastifyBaseLogger, work: () => Promise<void>): void;
  /** Waits until nothing is under way. */
  flush(): Promise<void>;
};

export function createBackground(): Background {
  const underWay = new Set<Promise<void>>();
  return {
    run(log, work) {
      const done = work()
        .catch((error: unknown) => log.error({ err: error }, 'work after an answer failed'))
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    flush: async () => {
      await Promise.all(underWay);
    },
  };
}
