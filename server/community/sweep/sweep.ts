import type { FastifyBaseLogger } from 'fastify';
import { removeLeftUploads } from '../forms/uploads.ts';
import type { FileStore } from '../media/files.ts';
import { deleteOldNotices } from '../notices/store.ts';
import type { Db } from '../schema.ts';
import { reportMissingFiles } from './missing-files.ts';
import { releaseSweepLock, trySweepLock } from './store.ts';
import { removeStrayFiles } from './stray-files.ts';
import { removeUnusedRows } from './unused-rows.ts';

/**
 * What is younger than this, milliseconds, may belong to an upload that is under way: files are stored first, rows that
 * name them come last. Far longer than any request may take.
 */
export const UPLOAD_AGE = 24 * 60 * 60 * 1000;

/** What was read goes after half a year, everything after a year, milliseconds. */
const READ_NOTICES_AGE = 180 * UPLOAD_AGE;
const NOTICES_AGE = 365 * UPLOAD_AGE;

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
export type Sweeping = Required<Omit<SweepParts, 'signal'>> & {
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
 * deleted before its files, and a file that is put again meanwhile stays, or is written anew.
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
