/** One person's views of one plugin within this time are one view, milliseconds. */
export const SAME_VIEW = 30 * 60 * 1000;
/** Views that are remembered; the oldest are forgotten first, so a flood costs counts, never memory. */
const REMEMBERED_MAX = 50_000;

/** Views waiting to be written. */
export type ViewCounting = {
  /** Whether this view is a new one, which it then no longer is. */
  isNew(viewer: string, pluginKey: string): boolean;
  add(pluginId: number, views?: number): void;
  /** Takes what has been counted since the last time. */
  take(): Map<number, number>;
};

export function countViews(now: () => number, rememberedMax = REMEMBERED_MAX): ViewCounting {
  const seen = new Map<string, number>();
  let counts = new Map<number, number>();
  return {
    isNew(viewer, pluginKey) {
      const key = `${pluginKey} ${viewer}`;
      const at = now();
      const before = seen.get(key);
      if (before !== undefined && Math.abs(at - before) < SAME_VIEW) return false;
      seen.delete(key);
      seen.set(key, at);
      if (seen.size > rememberedMax) forgetOldest(seen);
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

/** A map keeps the order of insertion, and every renewed view was inserted anew. */
function forgetOldest(seen: Map<string, number>): void {
  const oldest = seen.keys().next();
  if (!oldest.done) seen.delete(oldest.value);
}
