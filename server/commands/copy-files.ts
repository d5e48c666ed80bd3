import { createHash } from 'node:crypto';
import type { FileStore } from '../community/files/media/files.ts';

export type Copied = { copied: number; same: number; bytes: number };

/** Later than the time of any file. */
const MAX_DATE = new Date(8.64e15);

/**
 * Copies all files of a store to another one, and verifies each copy by its SHA-256. An identical file is not copied again,
 * so that an interrupted copy can be continued; a different one is replaced.
 * @param onProgress called after every 1,000 files
 * @throws Error when a copy differs from its original
 */
export async function copyFiles(
  { from, to }: { from: FileStore; to: FileStore },
  onProgress: (done: Copied) => void = () => undefined,
): Promise<Copied> {
  const done: Copied = { copied: 0, same: 0, bytes: 0 };
  for await (const { name, bytes } of from.list()) {
    const hash = await hashOf(from, name);
    if (hash === undefined) continue;
    if ((await hashOf(to, name)) === hash) done.same += 1;
    else {
      await replace({ from, to }, name, hash);
      done.copied += 1;
      done.bytes += bytes;
    }
    if ((done.copied + done.same) % 1000 === 0) onProgress(done);
  }
  return done;
}

async function replace(
  { from, to }: { from: FileStore; to: FileStore },
  name: string,
  hash: string,
): Promise<void> {
  await to.remove(name, MAX_DATE);
  await to.put(name, piecesOf(from, name));
  if ((await hashOf(to, name)) !== hash) throw new Error(`The copy of ${name} differs from the original.`);
}

/** Opens the file when the first piece is read, so that a failed `put` leaves no open file. */
async function* piecesOf(files: FileStore, name: string): AsyncGenerator<Uint8Array> {
  const file = await files.get(name);
  if (!file) throw new Error(`The file ${name} was deleted during the copy. Run the command again.`);
  yield* file.stream();
}

async function hashOf(files: FileStore, name: string): Promise<string | undefined> {
  const file = await files.get(name);
  if (!file) return undefined;
  const hash = createHash('sha256');
  for await (const piece of file.stream()) hash.update(piece);
  return hash.digest('hex');
}
