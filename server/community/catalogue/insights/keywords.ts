import { createHmac, hkdfSync } from 'node:crypto';
import type { Db } from '../../schema.ts';
import { isImpersonal } from '../missed-searches/missed.ts';
import { foldName } from '../search/lexemes.ts';
import { addFound, type FoundBy } from './keyword-store.ts';

/** Unwritten keywords in memory; more are not counted, so that a flood exhausts nothing. */
const UNWRITTEN_MAX = 20_000;
const HASH_BYTES = 16;

/** What people searched for before they opened a plugin. */
export type FoundKeywords = {
  add(pluginId: number, viewer: string, keyword: string): void;
  /** Writes what was added since the last call; what could not be written is kept for the next one. */
  write(db: Db): Promise<void>;
};

/**
 * Counts each person once a month for a keyword and a plugin. People are hashed at once together with these, with a key
 * derived from that of all instances (RFC 5869): no two keywords of a person can be linked, and none leads to them.
 * @param options `key`: 32 bytes, the same in all instances; `now`: milliseconds since 1970
 */
export function createFoundKeywords({
  key,
  now,
  max = UNWRITTEN_MAX,
}: {
  key: Buffer;
  now: () => number;
  max?: number;
}): FoundKeywords {
  const hashKey = Buffer.from(hkdfSync('sha256', key, '', 'plugin-square keywords', 32));
  const hashOf = (parts: readonly unknown[]) =>
    createHmac('sha256', hashKey)
      .update(JSON.stringify(parts))
      .digest()
      .subarray(0, HASH_BYTES)
      .toString('hex');
  let unwritten = new Map<string, FoundBy>();
  const keep = (found: FoundBy) => {
    if (unwritten.size < max) unwritten.set(found.hash, found);
  };
  return {
    add(pluginId, viewer, given) {
      const keyword = foldName(given);
      if (keyword === '' || !isImpersonal(keyword)) return;
      const month = `${new Date(now()).toISOString().slice(0, 7)}-01`;
      keep({ hash: hashOf([pluginId, month, keyword, viewer]), pluginId, month, keyword });
    },
    async write(db) {
      if (unwritten.size === 0) return;
      const taken = unwritten;
      unwritten = new Map();
      try {
        await addFound(db, [...taken.values()]);
      } catch (error) {
        for (const found of taken.values()) keep(found);
        throw error;
      }
    },
  };
}
