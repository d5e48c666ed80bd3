import type { FastifyBaseLogger } from 'fastify';
import { removeLeftUploads } from '../forms/uploads.ts';
import type { FileStore, ListedFile } from '../media/files.ts';
import { deleteOldNotices } from '../notices/store.ts';
import type { Db } from '../schema.ts';
import {
  ALL_KINDS,
  deleteUnused,
  type FileRow,
  filterKnownNames,
  type Kind,
  lockUnused,
  readRows,
  readUnused,
  unusedIn,
  withSweepLock,
} from './store.ts';

/**
 * Milliseconds: younger files may belong to a running upload, which stores files before rows. Far longer than any request.
 */
export const UPLOAD_AGE = 24 * 60 * 60 * 1000;

/** Milliseconds after which read notices, and all notices, are deleted. */
const READ_NOTICES_AGE = 180 * UPLOAD_AGE;
const NOTICES_AGE = 365 * UPLOAD_AGE;

/** Rows per transaction; each is looked up in every table that may refer to it. */
const ROWS_BATCH = 50;
const FILES_BATCH = 500;
const CHECK_BATCH = 200;

export type SweepOptions = {
  db: Db;
  files: FileStore;
  dataDir: string;
  /** Milliseconds since 1970. */
  now: () => number;
  log: FastifyBaseLogger;
  /** Counts, and removes nothing. */
  dryRun?: boolean;
  /** Ends the sweep early. */
  signal?: AbortSignal;
};

/** A running sweep, which removes content older than `before`. */
type Sweeping = Required<Omit<SweepOptions, 'signal'>> & {
  before: Date;
  signal: AbortSignal | undefined;
};

/** Numbers of removed items, or of those that would be removed. */
export type Swept = {
  /** Unused rows of pictures, videos and packages. */
  rows: number;
  /** Files without a row, and their bytes. */
  files: number;
  bytes: number;
  drafts: number;
  uploads: number;
  notices: number;
  /** Files of rows that are missing in the store; each is logged as a warning. */
  missing: number;
};

/**
 * Removes the files of failed uploads, and unused rows with their files. It is safe beside uploads: a row is deleted before
 * its files, and a file that is stored again meanwhile stays or is written again.
 * @returns undefined while another instance is sweeping
 */
export async function sweep(options: SweepOptions): Promise<Swept | undefined> {
  const before = new Date(options.now() - UPLOAD_AGE);
  const sweeping = { dryRun: false, signal: undefined, ...options, before };
  return withSweepLock(options.db, () => sweepAll(sweeping));
}

async function sweepAll(sweeping: Sweeping): Promise<Swept> {
  const { db, files, dataDir, before, dryRun, now } = sweeping;
  const drafts = await files.removeDrafts(before, { dryRun });
  const uploads = await removeLeftUploads(dataDir, before.getTime(), { dryRun });
  const rows = await removeUnusedRows(sweeping);
  const stray = await removeStrayFiles(sweeping);
  const notices = await deleteOldNotices(db, {
    read: new Date(now() - READ_NOTICES_AGE),
    all: new Date(now() - NOTICES_AGE),
    dryRun,
  });
  return { rows, ...stray, notices, drafts, uploads, missing: await reportMissingFiles(sweeping) };
}

/**
 * Deletes old unused rows of pictures, videos and packages, and then their files.
 * @returns the number of rows that were, or would be, deleted
 */
async function removeUnusedRows(sweeping: Sweeping): Promise<number> {
  let removed = 0;
  for (const kind of ALL_KINDS) {
    for await (const rows of sweeping.dryRun ? unusedRows(sweeping, kind) : deletedRows(sweeping, kind)) {
      removed += rows.length;
      if (sweeping.dryRun) continue;
      for (const name of rows.flatMap(({ names }) => names))
        await sweeping.files.remove(name, sweeping.before);
    }
  }
  return removed;
}

async function* unusedRows({ db, before, signal }: Sweeping, kind: Kind): AsyncGenerator<FileRow[]> {
  const unused = await unusedIn(db, kind);
  for (let after = ''; !signal?.aborted; ) {
    const rows = await readUnused(db, { kind, unused, before, after, limit: ROWS_BATCH });
    yield rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.key;
  }
}

async function* deletedRows({ db, before, signal }: Sweeping, kind: Kind): AsyncGenerator<FileRow[]> {
  const unused = await unusedIn(db, kind);
  for (let after = ''; !signal?.aborted; ) {
    const page = { kind, unused, before, after, limit: ROWS_BATCH };
    const { locked, deleted } = await db.transaction().execute(async (trx) => {
      const locked = await lockUnused(trx, page);
      return {
        locked,
        deleted: await deleteUnused(trx, { kind, unused, keys: locked.map(({ key }) => key) }),
      };
    });
    yield locked.filter(({ key }) => deleted.has(key));
    const last = locked.at(-1);
    if (!last) return;
    after = last.key;
  }
}

/**
 * Removes old files without a row, which rejected or interrupted uploads have left.
 * @returns the number and bytes of files that were, or would be, removed
 */
async function removeStrayFiles(sweeping: Sweeping): Promise<{ files: number; bytes: number }> {
  const removed = { files: 0, bytes: 0 };
  for await (const listed of oldFiles(sweeping)) {
    const known = await filterKnownNames(
      sweeping.db,
      listed.map(({ name }) => name),
    );
    for (const { name, bytes } of listed) {
      if (known.has(name)) continue;
      if (!sweeping.dryRun && !(await sweeping.files.remove(name, sweeping.before))) continue;
      removed.files += 1;
      removed.bytes += bytes;
    }
  }
  return removed;
}

/** Lists old files in batches. */
async function* oldFiles({ files, before, signal }: Sweeping): AsyncGenerator<ListedFile[]> {
  let batch: ListedFile[] = [];
  for await (const file of files.list()) {
    if (signal?.aborted) return;
    if (file.putAt >= before) continue;
    batch.push(file);
    if (batch.length < FILES_BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Logs every file that a row has and the store does not. @returns their number */
async function reportMissingFiles({ db, files, log, signal }: Sweeping): Promise<number> {
  let missing = 0;
  for (const kind of ALL_KINDS) {
    for (let after = ''; !signal?.aborted; ) {
      const rows = await readRows(db, kind, after, CHECK_BATCH);
      const last = rows.at(-1);
      if (!last) break;
      after = last.key;
      const absent: string[] = [];
      for (const name of rows.flatMap(({ names }) => names)) if (!(await files.has(name))) absent.push(name);
      // The row may have been deleted meanwhile, with its file.
      for (const file of absent.length > 0 ? await filterKnownNames(db, absent) : []) {
        log.warn({ file }, 'a file of the database is missing in the store');
        missing += 1;
      }
    }
  }
  return missing;
}
