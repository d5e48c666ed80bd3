import type { FastifyBaseLogger } from 'fastify';
import { removeLeftUploads } from '../files/forms/uploads.ts';
import type { FileStore, ListedFile } from '../files/media/files.ts';
import { deleteOldNotices } from '../people/notices/store.ts';
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
const ROWS_COMPARED = 1000;
/** Milliseconds: a younger row, by any clock, may be younger than the listing that lacks its file. */
const SETTLED_AGE = 10 * 60 * 1000;

type SweepOptions = {
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
  const compared = await compareWithListing(sweeping);
  const notices = await deleteOldNotices(db, {
    read: new Date(now() - READ_NOTICES_AGE),
    all: new Date(now() - NOTICES_AGE),
    dryRun,
  });
  return { rows, ...compared, notices, drafts, uploads };
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

/** First characters of file names; one listing at a time is held in memory. */
const PARTS = [...'0123456789abcdef'];

type Compared = { files: number; bytes: number; missing: number };

/**
 * Compares the store's listing with the rows, without asking for any file: removes old files without a row, which rejected or
 * interrupted uploads have left, and logs every file that a row has and the store does not.
 */
async function compareWithListing(sweeping: Sweeping): Promise<Compared> {
  const { files, now, signal } = sweeping;
  const compared = { files: 0, bytes: 0, missing: 0 };
  for (const start of PARTS) {
    const listedAt = now();
    const listed = new Map<string, ListedFile>();
    for await (const file of files.list(start)) {
      if (signal?.aborted) return compared;
      listed.set(file.name, file);
    }
    const named = await matchRows(sweeping, { start, listed, listedAt });
    compared.missing += named.missing;
    const stray = await removeStrayFiles(sweeping, named.others);
    compared.files += stray.files;
    compared.bytes += stray.bytes;
  }
  return compared;
}

type Listing = { start: string; listed: ReadonlyMap<string, ListedFile>; listedAt: number };

/** @returns how many files of rows the listing lacks, and the listed files of no row */
async function matchRows(
  { db, log, signal }: Sweeping,
  { start, listed, listedAt }: Listing,
): Promise<{ missing: number; others: ListedFile[] }> {
  let missing = 0;
  const others = new Map(listed);
  const before = new Date(listedAt - SETTLED_AGE);
  for (const kind of ALL_KINDS) {
    for (let after = start; ; ) {
      if (signal?.aborted) return { missing, others: [] };
      const rows = await readRows(db, kind, { start, after, limit: ROWS_COMPARED });
      const last = rows.at(-1);
      if (!last) break;
      after = last.key;
      for (const name of rows.flatMap(({ names }) => names)) others.delete(name);
      const settled = rows.filter(({ created_at }) => created_at < before).flatMap(({ names }) => names);
      const absent = settled.filter((name) => !listed.has(name));
      // The row may have been deleted meanwhile, with its file.
      for (const file of absent.length > 0 ? await filterKnownNames(db, absent) : []) {
        log.warn({ file }, 'a file of the database is missing in the store');
        missing += 1;
      }
    }
  }
  return { missing, others: [...others.values()] };
}

/** @returns the number and bytes of files that were, or would be, removed */
async function removeStrayFiles(
  { db, files, before, dryRun, signal }: Sweeping,
  listed: readonly ListedFile[],
): Promise<{ files: number; bytes: number }> {
  const removed = { files: 0, bytes: 0 };
  const old = listed.filter(({ putAt }) => putAt < before);
  for (let done = 0; done < old.length && !signal?.aborted; done += FILES_BATCH) {
    const batch = old.slice(done, done + FILES_BATCH);
    // A row may have been added since the rows were read.
    const known = await filterKnownNames(
      db,
      batch.map(({ name }) => name),
    );
    for (const { name, bytes } of batch) {
      if (known.has(name)) continue;
      if (!dryRun && !(await files.remove(name, before))) continue;
      removed.files += 1;
      removed.bytes += bytes;
    }
  }
  return removed;
}
