import { createHash } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import type { Releases } from './releases.ts';
import { type Digested, readUndigested, writeDigests } from './store.ts';

/** Packages whose digests are stored in one statement. */
const BATCH = 32;
/** Milliseconds between two looks for new packages. */
const INTERVAL = 2000;

type Digesting = {
  db: Db;
  releases: Pick<Releases, 'create'>;
  /** Names of packages that cannot be read; they are added here and skipped. */
  failed: Set<string>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  signal?: AbortSignal;
};

/**
 * Computes what users download of each package that has no digest yet: new ones, those of bundles and of earlier releases.
 * Files are read outside of any transaction, and each batch is stored when it is done, so it goes on where it was interrupted.
 * @returns the number of packages that got one
 */
export async function digestPackages({ db, releases, failed, log, signal }: Digesting): Promise<number> {
  let count = 0;
  for (;;) {
    const names = await readUndigested(db, BATCH, [...failed]);
    if (names.length === 0 || signal?.aborted) return count;
    const digested: Digested[] = [];
    for (const name of names) {
      try {
        const content = await releases.create(name);
        digested.push({
          name,
          digest: createHash('sha256').update(content).digest('hex'),
          bytes: content.length,
        });
      } catch (err) {
        failed.add(name);
        log.warn({ err, name }, 'this package has no digest, since it cannot be read');
      }
    }
    if (digested.length > 0) await writeDigests(db, digested);
    count += digested.length;
  }
}

/** Does this every few seconds while the app listens. What could not be read is tried again after a restart. */
export function digestRegularly(app: FastifyInstance, releases: Releases): void {
  const { db, log } = app;
  const failed = new Set<string>();
  repeatWhileListening(app, {
    every: INTERVAL,
    log,
    failed: 'digests of packages could not be stored',
    recovered: 'digests of packages are stored again',
    async run(signal) {
      await digestPackages({ db, releases, failed, log, signal });
      return undefined;
    },
  });
}
