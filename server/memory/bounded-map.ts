export type BoundedMap<V> = {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
};

/**
 * A map that forgets what was used least recently once its weight (entries, or bytes when `weigh` says so) exceeds
 * `limit`. A value heavier than the limit is not kept at all.
 */
export function boundedMap<V>({
  limit,
  weigh = () => 1,
}: {
  limit: number;
  weigh?: (value: V, key: string) => number;
}): BoundedMap<V> {
  const entries = new Map<string, { value: V; weight: number }>();
  let total = 0;

  const remove = (key: string): void => {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    total -= entry.weight;
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      // Keeping the order costs two writes; while half of the room is free nothing is about to be forgotten.
      if (total * 2 < limit) return entry.value;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value) {
      remove(key);
      const weight = weigh(value, key);
      if (weight > limit) return;
      entries.set(key, { value, weight });
      total += weight;
      for (const oldest of entries.keys()) {
        if (total <= limit) break;
        remove(oldest);
      }
    },
    delete: remove,
  };
}
