import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache, type Perf } from 'lru-cache';
import { contract } from '../../../shared/contract.ts';
import { networkOf } from '../../http/client-address.ts';
import { implement } from '../../http/implement.ts';
import { visitorOrCaller } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { findSeenPlugin } from '../plugins/access.ts';
import type { Db } from '../schema.ts';

/** Milliseconds within which repeated views of a plugin by one viewer count once. */
export const SAME_VIEW = 30 * 60 * 1000;
/** Recent views in memory; the oldest are dropped first, so a flood cannot exhaust memory. */
const RECENT_MAX = 50_000;

/** Records views; the response does not wait for a write. */
export function viewsRoutes(app: FastifyInstance, guards: Guards, db: Db, views: ViewCounting): void {
  implement(app, guards.all, contract.recordView, async ({ body, request }) => {
    const { id } = await findSeenPlugin(db, body.plugin_key, visitorOrCaller(request));
    if (views.isNew(viewerOf(request), body.plugin_key)) views.add(id);
    return {};
  });
}

function viewerOf(request: FastifyRequest): string {
  const caller = visitorOrCaller(request);
  return caller ? `user ${caller.user_id}` : `network ${networkOf(request.clientAddress)}`;
}

/** Views that are not yet written. */
export type ViewCounting = {
  /** True for a new view, which is then recorded as seen. */
  isNew(viewer: string, pluginKey: string): boolean;
  add(pluginId: number, views?: number): void;
  /** Returns the counts since the last call. */
  take(): Map<number, number>;
};

/** @param options `perf`: the clock; the process's own by default */
export function countViews({
  max = RECENT_MAX,
  perf = performance,
}: {
  max?: number;
  perf?: Perf;
} = {}): ViewCounting {
  const seen = new LRUCache<string, true>({ max, ttl: SAME_VIEW, ttlResolution: 0, perf });
  let counts = new Map<number, number>();
  return {
    isNew(viewer, pluginKey) {
      const key = `${pluginKey} ${viewer}`;
      if (seen.has(key)) return false;
      seen.set(key, true);
      return true;
    },
    add(pluginId, views = 1) {
      counts.set(pluginId, (counts.get(pluginId) ?? 0) + views);
    },
    take() {
      const taken = counts;
      counts = new Map();
      return taken;
    },
  };
}
