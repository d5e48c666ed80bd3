import { randomBytes } from 'node:crypto';
import type { WriteStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { errorCode } from '../../database/start-error.ts';
import { appError } from '../../http/errors.ts';

/** Temporary files of one request. */
export type Uploads = {
  /**
   * Writes a part to a file of its own. What goes beyond `bytesMax` is read and thrown away, and `bytes` tells so.
   * @throws STORAGE_FULL when the disk has no space left; whatever the part itself fails with
   */
  keep(part: Readable, bytesMax: number): Promise<{ path: string; bytes: number }>;
  /** Removes every file, also one that is still being written. */
  remove(): Promise<void>;
};

export function uploadsFolder(dataDir: string): string {
  return join(dataDir, 'uploads');
}

/** Nobody but the service may read what has not been checked, so folder and files are closed to others. */
export function openUploads(dataDir: string): Uploads {
  const folder = uploadsFolder(dataDir);
  const paths: string[] = [];
  let underWay: { part: Readable; end: Promise<unknown> } | undefined;
  return {
    keep(part, bytesMax) {
      const path = join(folder, randomBytes(18).toString('base64url'));
      paths.push(path);
      const end = writePart(path, part, bytesMax);
      underWay = { part, end };
      return end;
    },
    async remove() {
      underWay?.part.destroy();
      await underWay?.end.catch(() => undefined);
      await Promise.all(paths.map((path) => rm(path, { force: true })));
    },
  };
}

async function writePart(
  path: string,
  part: Readable,
  bytesMax: number,
): Promise<{ path: string; bytes: number }> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'wx', 0o600);
    const target = file.createWriteStream();
    // A pipeline would wait in vain for a stream that was destroyed before.
    if (part.destroyed) throw await closed(target);
    const counted = countTo(bytesMax);
    await pipeline(part, counted.stream, target);
    return { path, bytes: counted.bytes() };
  } catch (error) {
    part.destroy();
    throw isDiskFull(error) ? appError('STORAGE_FULL', { cause: error }) : error;
  }
}

async function closed(target: WriteStream): Promise<Error> {
  target.destroy();
  await finished(target).catch(() => undefined);
  return new Error('the upload was abandoned');
}

function countTo(bytesMax: number): { stream: Transform; bytes(): number } {
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(null, bytes <= bytesMax ? chunk : undefined);
    },
  });
  return { stream, bytes: () => bytes };
}

/** No space, or no more of it for this user. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error));
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
