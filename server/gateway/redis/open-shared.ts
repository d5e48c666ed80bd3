import type { FastifyBaseLogger } from 'fastify';
import { type Count, createLocalCount, createSharedCount } from '../limits/counter.ts';
import { createLocalState, type SharedState } from '../session/shared-state.ts';

export type Shared = { state: SharedState; count: Count; close: () => Promise<void> };

/** Life of a refresh's lock that nobody renews, in milliseconds: a Redis may stand still for that long. */
const LEASE = 60_000;

/** What gateways share: through Redis where there is one, else each has it for itself. */
export async function openShared({
  redisUrl,
  keys,
  log,
  now,
  onRedis,
  lease = LEASE,
}: {
  redisUrl: string | undefined;
  keys: readonly Buffer[];
  log: FastifyBaseLogger;
  now: () => number;
  /** Told whether Redis can be asked. */
  onRedis: (isUp: boolean) => void;
  lease?: number;
}): Promise<Shared> {
  const local = createLocalState(now);
  const count = createLocalCount(now);
  if (redisUrl === undefined) return { state: local, count, close: async () => undefined };
  const { openRedis } = await import('./link.ts');
  const { createRedisState } = await import('./shared-state.ts');
  const link = await openRedis({ url: redisUrl, log, onChange: onRedis, longSilence: lease / 2 });
  const state = createRedisState({ link, local, keys, lease, now });
  return {
    state,
    count: createSharedCount(link, count),
    async close() {
      await state.finished();
      link.close();
    },
  };
}
