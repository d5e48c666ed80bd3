import type { FastifyBaseLogger } from 'fastify';
import type { Encryptor } from '../encryption/encryptor.ts';
import type { IdentityMetrics } from './metrics.ts';
import type { IdentityDb } from './schema.ts';
import type { Random } from './secret.ts';

/** What every area uses. */
export type BaseContext = {
  db: IdentityDb;
  /** Milliseconds since 1970. */
  now: () => number;
  random: Random;
  /** Encrypts secrets at rest, see loadEncryptor in prepare.ts. */
  encryptor: Encryptor;
  background: Background;
  metrics: IdentityMetrics;
  /** The origin that browsers see. */
  publicUrl: string;
};

/** Work that a response does not wait for. */
type Background = {
  /** Logs errors. */
  run(log: FastifyBaseLogger, work: () => Promise<void>): void;
  /** Waits until all work is done. */
  flush(): Promise<void>;
};

export function createBackground(): Background {
  const running = new Set<Promise<void>>();
  return {
    run(log, work) {
      const done = work()
        .catch((error: unknown) => log.error({ err: error }, 'background work failed'))
        .finally(() => running.delete(done));
      running.add(done);
    },
    flush: async () => {
      await Promise.all(running);
    },
  };
}
