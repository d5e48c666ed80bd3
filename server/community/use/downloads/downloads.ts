import { createHmac, hkdfSync } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import { addDownloads, type Delivered, type Download, findVersions } from './store.ts';

/** Milliseconds between two writes. */
const INTERVAL = 5000;
/** Unwritten downloads in memory; more are not counted, so a flood cannot exhaust memory while the database is down. */
const UNWRITTEN_MAX = 50_000;
const HASH_BYTES = 16;

/** Downloads that are not yet written. A delivery waits for nothing. */
export type DownloadCounting = {
  add(delivered: Delivered): void;
  /** Writes what was added since the last call; what could not be written is kept for the next one. */
  write(db: Db, at: Date): Promise<void>;
};

/**
 * Counts each person and version once. Both are hashed with a key derived from that of all instances (RFC 5869) before they are
 * stored: neither a copy of the database nor a backup tells who has downloaded what.
 * @param options `key`: 32 bytes, the same in all instances
 */
export function createDownloadCounter({
  key,
  max = UNWRITTEN_MAX,
}: {
  key: Buffer;
  max?: number;
}): DownloadCounting {
  const hashKey = Buffer.from(hkdfSync('sha256', key, '', 'plugin-square downloads', 32));
  const hashOf = (text: string) =>
    createHmac('sha256', hashKey).update(text).digest().subarray(0, HASH_BYTES).toString('hex');
  let unwritten = new Map<string, Delivered>();
  const add = (delivered: Delivered) => {
    const name = `${delivered.userId} ${delivered.packageName}`;
    if (unwritten.size < max) unwritten.set(name, delivered);
  };
  return {
    add,
    async write(db, at) {
      if (unwritten.size === 0) return;
      const taken = unwritten;
      unwritten = new Map();
      try {
        const versions = await findVersions(db, [...taken.values()]);
        const downloads = new Map(
          versions.map(({ userId, pluginId, versionId }): [string, Download] => {
            const hash = hashOf(`${userId} ${versionId}`);
            return [hash, { hash, pluginId, versionId }];
          }),
        );
        await addDownloads(db, [...downloads.values()], at);
      } catch (error) {
        for (const delivered of taken.values()) add(delivered);
        throw error;
      }
    },
  };
}

/** Writes downloads every few seconds while the app listens, and once more on close. */
export function writeRegularly(app: FastifyInstance, downloads: DownloadCounting): void {
  const { db, clock: now, log } = app;
  repeatWhileListening(app, {
    every: INTERVAL,
    first: INTERVAL,
    onceMore: true,
    log,
    failed: 'downloads could not be counted',
    recovered: 'downloads are counted again',
    async run() {
      await downloads.write(db, new Date(now()));
    },
  });
}
