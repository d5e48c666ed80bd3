import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache, type Perf } from 'lru-cache';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { visitorOrCaller } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { findSeenPlugin } from '../plugins/access.ts';
import type { Db } from '../schema.ts';

/** One person's views of one plugin within this time are one view, milliseconds. */
export const SAME_VIEW = 30 * 60 * 1000;
/** Views that are remembered; the oldest are forgotten first, so a flood costs counts, never memory. */
const REMEMBERED_MAX = 50_000;

/** Recording views. The answer never waits for a write. */
export function viewsRoutes(app: FastifyInstance, guards: Guards, db: Db, views: ViewCounting): void {
  implement(app, guards.all, contract.recordView, async ({ body, request }) => {
    const { id } = await findSeenPlugin(db, body.plugin_key, visitorOrCaller(request));
    if (views.isNew(viewerOf(request), body.plugin_key)) views.add(id);
    return {};
  });
}

function viewerOf(request: FastifyRequest): string {
  const caller = visitorOrCaller(request);
  return caller ? `user ${caller.user_id}` : `address ${request.ip}`;
}

/** Views waiting to be written. */
export type ViewCounting = {
  /** Whether this view is a new one, which it then no longer is. */
  isNew(viewer: string, pluginKey: string): boolean;
  add(pluginId: number, views?: number): void;
  /** Takes what has been counted since the last time. */
  take(): Map<number, number>;
};

/** @param options `perf`: the clock, if not the process's */
export function countViews({
  max = REMEMBERED_MAX,
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
