import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ErrorCode } from '../../../shared/errors.ts';
import { appError } from '../../http/errors.ts';
import { isDiskFull } from '../media/durable-write.ts';

/** What one kind of file part may be. */
export type FileRule = {
  /** Parts of this name at most. */
  count: number;
  /** Bytes of each at most. */
  bytes: number;
  /** Bytes of all of them together, where that is less than each at its largest. */
  together?: number;
  /** Refuses a part with too many bytes; its `{size}` is filled with the limit in megabytes. */
  tooLarge: ErrorCode;
  /** Refuses one part too many; VALIDATION_FAILED unless named. */
  tooMany?: ErrorCode;
  /** Values of other placeholders in the messages of both. */
  params?: Readonly<Record<string, string>>;
};

export type FileRules = Readonly<Record<string, FileRule>>;

/** A file part as it lies on the disk while its request is being answered. */
export type UploadedFile = { field: string; filename: string; path: string; bytes: number };

/** The file parts of a form by name, in the order they came; a name without parts has an empty list. */
export type FilesOf<Rules extends FileRules> = Readonly<Record<keyof Rules, UploadedFile[]>>;

/** Temporary files of one request. */
export type Uploads = {
  /**
   * Writes a part to a file of its own. What goes beyond `bytesMax` is read and thrown away, and `bytes` tells so.
   * @throws STORAGE_FULL when the disk has no space left; whatever the part itself fails with
   */
  write(part: Readable, bytesMax: number, signal: AbortSignal): Promise<{ path: string; bytes: number }>;
  /** Removes every file. */
  remove(): Promise<void>;
};

export function uploadsFolder(dataDir: string): string {
  return join(dataDir, 'uploads');
}

/** Nobody but the service may read what has not been checked, so folder and files are closed to others. */
export function openUploads(dataDir: string): Uploads {
  const folder = uploadsFolder(dataDir);
  const paths: string[] = [];
  return {
    async write(part, bytesMax, signal) {
      const path = join(folder, randomBytes(18).toString('base64url'));
      paths.push(path);
      let bytes = 0;
      async function* upToMax(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          bytes += chunk.length;
          if (bytes <= bytesMax) yield chunk;
        }
      }
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const file = await open(path, 'wx', 0o600);
        await pipeline(part, upToMax, file.createWriteStream(), { signal });
      } catch (error) {
        part.destroy();
        throw isDiskFull(error) ? appError('STORAGE_FULL', { cause: error }) : error;
      }
      return { path, bytes };
    },
    async remove() {
      await Promise.all(paths.map((path) => rm(path, { force: true })));
    },
  };
}

/**
 * Removes what a killed process left behind: files not written to since `before`, milliseconds since 1970.
 * @returns how many there were
 */
export async function removeLeftUploads(
  dataDir: string,
  before: number,
  { dryRun = false } = {},
): Promise<number> {
  const folder = uploadsFolder(dataDir);
  const names = await readdir(folder).catch(() => []);
  let removed = 0;
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (!found || found.mtimeMs >= before) continue;
    if (!dryRun) await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}
