import { appError } from '../../http/errors.ts';
import { limitTo } from './limiter.ts';

/** Bytes made on demand, one at a time, once for all who want the same. */
export type MadeOnce = {
  /** @throws SERVICE_UNAVAILABLE when too many wait for their turn already, and what `make` throws */
  take(key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array>;
};

type Room = {
  /** Kept for those who come next, those asked for last; one alone may be larger. */
  bytes: number;
  /** As many may be under way; any number where absent. */
  waiting?: number;
};

export function openMadeOnce({ bytes, waiting = Number.POSITIVE_INFINITY }: Room): MadeOnce {
  const oneAtATime = limitTo(1);
  const kept = new Map<string, Uint8Array>();
  const underWay = new Map<string, Promise<Uint8Array>>();
  let keptBytes = 0;

  function keep(key: string, made: Uint8Array): Uint8Array {
    kept.set(key, made);
    keptBytes += made.length;
    for (const [oldest, { length }] of kept) {
      if (keptBytes <= bytes || oldest === key) break;
      kept.delete(oldest);
      keptBytes -= length;
    }
    return made;
  }

  return {
    async take(key, make) {
      const found = kept.get(key);
      if (found) {
        kept.delete(key);
        kept.set(key, found);
        return found;
      }
      const current = underWay.get(key);
      if (current) return current;
      if (underWay.size >= waiting)
        throw appError('SERVICE_UNAVAILABLE', { headers: { 'retry-after': '5' } });
      const making = oneAtATime(async () => keep(key, await make())).finally(() => underWay.delete(key));
      underWay.set(key, making);
      return making;
    },
  };
}
