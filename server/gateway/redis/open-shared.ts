import type { FastifyBaseLogger } from 'fastify';
import { type Count, createLocalCount, createSharedCount } from '../limits/counter.ts';
import { createLocalState, type SharedState } from '../session/shared-state.ts';
import { createRedisState } from './shared-state.ts';

export type Shared = { state: SharedState; count: Count; close: () => void };

/** What gateways share: through Redis where there is one, else each has it for itself. */
export async function openShared({
  redisUrl,
  keys,
  log,
  now,
  onRedis,
}: {
  redisUrl: string | undefined;
  keys: readonly Buffer[];
  log: FastifyBaseLogger;
  now: () => number;
  /** Told whether Redis can be asked. */
  onRedis: (isUp: boolean) => void;
}): Promise<Shared> {
  const local = createLocalState(now);
  const count = createLocalCount(now);
  if (redisUrl === undefined) return { state: local, count, close: () => undefined };
  const { openRedis } = await import('./link.ts');
  const link = await openRedis({ url: redisUrl, log, onChange: onRedis });
  return {
    state: createRedisState({ link, local, keys, now }),
    count: createSharedCount(link, count),
    close: link.close,
  };
}
