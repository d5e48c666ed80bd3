import type { FastifyBaseLogger } from 'fastify';
import { removeLeftUploads } from '../forms/uploads.ts';
import type { FileStore, ListedFile } from '../media/files.ts';
import { deleteOldNotices } from '../notices/store.ts';
import type { Db } from '../schema.ts';
import {
  ALL_KINDS,
  deleteUnused,
  type FileRow,
  type Kind,
  knownNames,
  lockUnused,
  readRows,
  readUnused,
  releaseSweepLock,
  trySweepLock,
  unusedIn,
} from './store.ts';

/**
 * What is younger than this, milliseconds, may belong to an upload that is under way: files are stored first, rows that
 * name them come last. Far longer than any request may take.
 */
export const UPLOAD_AGE = 24 * 60 * 60 * 1000;

/** What was read goes after half a year, everything after a year, milliseconds. */
const READ_NOTICES_AGE = 180 * UPLOAD_AGE;
const NOTICES_AGE = 365 * UPLOAD_AGE;

/** Rows deleted in one transaction: each asks every table that may name it. */
const ROWS_AT_A_TIME = 50;
const FILES_AT_A_TIME = 500;
const CHECKED_AT_A_TIME = 200;

export type SweepParts = {
  db: Db;
  files: FileStore;
  dataDir: string;
  /** Milliseconds since 1970. */
  now: () => number;
  log: FastifyBaseLogger;
  /** Looks, and removes nothing. */
  dryRun?: boolean;
  /** Ends the sweep at the next good place. */
  signal?: AbortSignal;
};

/** A sweep under way: what is older than `before` may go. */
type Sweeping = Required<Omit<SweepParts, 'signal'>> & {
  before: Date;
  signal: AbortSignal | undefined;
};

/** What went, or would go. */
export type Swept = {
  /** Rows of pictures, videos and packages that nothing named. */
  rows: number;
  /** Files that no row stood for, and their bytes. */
  files: number;
  bytes: number;
  drafts: number;
  uploads: number;
  /** Notices that are old. */
  notices: number;
  /** Files that rows stand for and the store does not have: warned of, one by one. */
  missing: number;
};

/**
 * Removes what uploads that came to nothing have left, and what nothing names any more. Safe beside uploads: a row is
 * deleted before its files, and a file that is put again meanwhile stays, or is written again.
 * @returns undefined when another instance is sweeping
 */
export async function sweep(parts: SweepParts): Promise<Swept | undefined> {
  const before = new Date(parts.now() - UPLOAD_AGE);
  const sweeping = { dryRun: false, signal: undefined, ...parts, before };
  return parts.db.connection().execute(async (connection) => {
    if (!(await trySweepLock(connection))) return undefined;
    try {
      return await sweepAll(sweeping);
    } finally {
      await releaseSweepLock(connection);
    }
  });
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
 * Deletes old rows of pictures, videos and packages that nothing names, and then their files.
 * @returns how many rows, or how many there would be
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
    const rows = await readUnused(db, { kind, unused, before, after, limit: ROWS_AT_A_TIME });
    yield rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.key;
  }
}

async function* deletedRows({ db, before, signal }: Sweeping, kind: Kind): AsyncGenerator<FileRow[]> {
  const unused = await unusedIn(db, kind);
  for (let after = ''; !signal?.aborted; ) {
    const page = { kind, unused, before, after, limit: ROWS_AT_A_TIME };
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
 * Removes old files that no row stands for: what a refused, cut or killed upload had stored already.
 * @returns how many, and their bytes; or how many there would be
 */
async function removeStrayFiles(sweeping: Sweeping): Promise<{ files: number; bytes: number }> {
  const removed = { files: 0, bytes: 0 };
  for await (const listed of oldFiles(sweeping)) {
    const known = await knownNames(
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

/** Files that were put before, some at a time. */
async function* oldFiles({ files, before, signal }: Sweeping): AsyncGenerator<ListedFile[]> {
  let batch: ListedFile[] = [];
  for await (const file of files.list()) {
    if (signal?.aborted) return;
    if (file.putAt >= before) continue;
    batch.push(file);
    if (batch.length < FILES_AT_A_TIME) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Warns of every file that a row stands for and the store does not have. @returns how many there are */
async function reportMissingFiles({ db, files, log, signal }: Sweeping): Promise<number> {
  let missing = 0;
  for (const kind of ALL_KINDS) {
    for (let after = ''; !signal?.aborted; ) {
      const rows = await readRows(db, kind, after, CHECKED_AT_A_TIME);
      const last = rows.at(-1);
      if (!last) break;
      after = last.key;
      const gone: string[] = [];
      for (const name of rows.flatMap(({ names }) => names)) if (!(await files.has(name))) gone.push(name);
      // A row may have gone meanwhile, and its file with it.
      for (const file of gone.length > 0 ? await knownNames(db, gone) : []) {
        log.warn({ file }, 'a file is missing that the database names');
        missing += 1;
      }
    }
  }
  return missing;
}
