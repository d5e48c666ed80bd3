import { createHash } from 'node:crypto';
import { liftTimeouts } from '../../database/advisory-lock.ts';
import { startError } from '../../database/errors.ts';
import { collect, type Entry, fileOfEntry, readArchive } from '../../storage/archive.ts';
import { startFilling, type Tell, tellEachPart } from '../catalogue/filling/filling.ts';
import type { FileStore } from '../files/media/files.ts';
import type { Db } from '../schema.ts';
import { withoutSweep } from '../sweep/kept-files.ts';
import { type CheckedBundle, checkBundle } from './check-bundle.ts';
import { insertBundle, type Outcome } from './insert-bundle.ts';
import { isUserKnown } from './store.ts';

/** Files up to this size are stored side by side, so many at a time. */
const SMALL_BYTES = 1_048_576;
const SIDE_BY_SIDE = 8;

export type ImportOptions = {
  db: Db;
  files: FileStore;
  /** Milliseconds since 1970. */
  now: () => number;
  file: string;
  /** Public key of the deployment that must have signed the bundle. */
  trusted: string;
  /** Gets lines about its progress. */
  tell: Tell;
};

/**
 * Imports the plugins of a bundle: files first, then everything else in one transaction. Plugins and versions that were
 * imported before do not change.
 * @param options.publisherId the user who becomes the publisher of new plugins
 * @throws start error when the archive is truncated, changed or signed with another key, or the publisher is unknown;
 * nothing is imported then
 */
export async function importBundle({
  publisherId,
  ...options
}: ImportOptions & { publisherId: number }): Promise<Map<string, Outcome>> {
  const { db, trusted } = options;
  const checked = await checkBundle(options);
  if (!(await isUserKnown(db, publisherId)))
    throw startError(
      `There is no user ${publisherId} here; sign in as that user, and open the publishing page or the administration once.`,
    );
  return withoutSweep(db, () => {
    const given = { publisherOf: () => publisherId, at: new Date(options.now()), trusted };
    return storeBundle(options, checked, 'Import', (trx, onPlugin) =>
      insertBundle(trx, checked.bundle, { ...given, onPlugin }),
    );
  });
}

/**
 * Stores the files of a bundle and then its rows, in one transaction. Hold the sweep's lock meanwhile.
 * @param what names the work in lines about its progress
 */
export async function storeBundle<T>(
  { db, files, file, now, tell }: Omit<ImportOptions, 'trusted'>,
  { bundle, sha256, hashes }: CheckedBundle,
  what: string,
  insert: (trx: Db, onPlugin: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const filler = await startFilling(db, { what, total: bundle.plugins.length, now, tell });
  const told = tellEachPart({ what: 'Files stored', total: hashes.size, tell });
  const storing = startStoring(files, hashes, async () => {
    told();
    await filler.still();
  });
  try {
    await readArchive({ file, kind: 'bundle', expected: sha256 }, storing.add).finally(storing.end);
    const inserted = await db.transaction().execute(async (trx) => {
      await liftTimeouts(trx);
      return insert(trx, () => filler.step());
    });
    await filler.end();
    return inserted;
  } catch (error) {
    // What failed first counts: without a database this fails as well.
    await filler.end('nothing imported').catch(() => undefined);
    throw error;
  }
}

/**
 * Stores the files of the plugins whose content is what the check has read; of others nothing is stored. Small ones are
 * stored side by side, as each waits for the disk twice.
 */
function startStoring(
  files: FileStore,
  hashes: ReadonlyMap<string, string>,
  onStored: () => Promise<void>,
): { add: (entry: Entry) => Promise<void>; end: () => Promise<void> } {
  const running = new Set<Promise<void>>();
  const put = async (name: string, content: Uint8Array | AsyncIterable<Uint8Array>) => {
    await files.put(name, content);
    await onStored();
  };
  return {
    async add({ name: entry, bytes, pieces }) {
      const name = fileOfEntry(entry);
      const expected = name === undefined ? undefined : hashes.get(name);
      if (name === undefined || expected === undefined) return;
      const verified = verifyHash(name, pieces, expected);
      if (bytes > SMALL_BYTES) return put(name, verified);
      const stored: Promise<void> = put(name, await collect(verified)).then(
        () => void running.delete(stored),
      );
      // One that failed stays, for the next one or the end to find.
      stored.catch(() => undefined);
      running.add(stored);
      if (running.size >= SIDE_BY_SIDE) await Promise.race(running);
    },
    async end() {
      // None may still say that it is at work when the import has ended.
      const all = await Promise.allSettled(running);
      for (const one of all) if (one.status === 'rejected') throw one.reason;
    },
  };
}

async function* verifyHash(
  name: string,
  pieces: AsyncIterable<Uint8Array>,
  expected: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== expected)
    throw startError(`The content of ${name} has changed since it was checked.`);
}
