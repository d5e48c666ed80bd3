import { createHmac, hkdfSync } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Source } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import { networkOf } from '../../../http/client-address.ts';
import { implement } from '../../../http/implement.ts';
import { visitorOrCaller } from '../../people/auth/caller.ts';
import type { FoundKeywords } from '../insights/keywords.ts';
import { sourceOf } from '../insights/source.ts';
import { findSeenPlugin } from '../plugins/access.ts';
import type { View } from './view-store.ts';

/** Unwritten views in memory; more are not counted, so a flood cannot exhaust memory while the database is down. */
const UNWRITTEN_MAX = 50_000;
const HASH_BYTES = 16;

/** Records views; the response does not wait for a write. */
export function viewsRoutes(
  app: FastifyInstance,
  { views, keywords }: { views: ViewCounting; keywords: FoundKeywords },
): void {
  const { db } = app;
  implement(app, contract.recordView, async ({ body, request }) => {
    const caller = visitorOrCaller(request);
    const { id } = await findSeenPlugin(db, body.plugin_key, caller);
    const viewer = caller ? `user ${caller.user_id}` : `network ${networkOf(request.clientAddress)}`;
    const source = sourceOf(caller, body.source);
    views.add(id, viewer, source);
    if (source === 'search' && body.keyword !== undefined) keywords.add(id, viewer, body.keyword);
    return {};
  });
}

/** Views that are not yet written, one for each plugin and viewer. */
export type ViewCounting = {
  add(pluginId: number, viewer: string, source: Source): void;
  /** Returns the views since the last call. */
  take(): View[];
  /** Keeps views that could not be written for the next `take`. */
  putBack(views: readonly View[]): void;
};

/**
 * Viewers are hashed at once, with a key derived from that of all instances (RFC 5869): neither memory nor the database tells
 * who looked at what (R 3.15).
 * @param options `key`: 32 bytes, the same in all instances; `now`: milliseconds since 1970
 */
export function createViewCounter({
  key,
  now,
  max = UNWRITTEN_MAX,
}: {
  key: Buffer;
  now: () => number;
  max?: number;
}): ViewCounting {
  const hashKey = Buffer.from(hkdfSync('sha256', key, '', 'plugin-square views', 32));
  const hashOf = (text: string) =>
    createHmac('sha256', hashKey).update(text).digest().subarray(0, HASH_BYTES).toString('hex');
  let unwritten = new Map<string, View>();
  const keep = (view: View) => {
    if (unwritten.size < max && !unwritten.has(view.hash)) unwritten.set(view.hash, view);
  };
  return {
    add(pluginId, viewer, source) {
      keep({ hash: hashOf(`${pluginId} ${viewer}`), pluginId, source, at: now() });
    },
    take() {
      const taken = [...unwritten.values()];
      unwritten = new Map();
      return taken;
    },
    putBack(views) {
      const later = unwritten;
      unwritten = new Map();
      for (const view of [...views, ...later.values()]) keep(view);
    },
  };
}
