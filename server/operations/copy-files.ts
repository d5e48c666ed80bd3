import { createHash } from 'node:crypto';
import type { FileStore } from '../community/media/files.ts';

export type Copied = { copied: number; same: number; bytes: number };

/** Later than any file was put. */
const EVER = new Date(8.64e15);

/**
 * Copies every file of a store into another and reads it back there: what is said to be copied has the same SHA-256 in
 * both. What is there already is compared, not sent again, so a copy that broke off goes on where it ended. A file that
 * differs is replaced.
 * @param told called now and then with what is done so far
 * @throws Error when a file does not come out as it went in
 */
export async function copyFiles(
  { from, to }: { from: FileStore; to: FileStore },
  told: (done: Copied) => void = () => undefined,
): Promise<Copied> {
  const done: Copied = { copied: 0, same: 0, bytes: 0 };
  for await (const { name, bytes } of from.list()) {
    const wanted = await hashOf(from, name);
    if (wanted === undefined) continue;
    if ((await hashOf(to, name)) === wanted) done.same += 1;
    else {
      await replace({ from, to }, name, wanted);
      done.copied += 1;
      done.bytes += bytes;
    }
    if ((done.copied + done.same) % 1000 === 0) told(done);
  }
  return done;
}

async function replace(
  { from, to }: { from: FileStore; to: FileStore },
  name: string,
  wanted: string,
): Promise<void> {
  await to.remove(name, EVER);
  await to.put(name, piecesOf(from, name));
  if ((await hashOf(to, name)) !== wanted) throw new Error(`The copy of ${name} differs from the original.`);
}

/** Opens the file when the first piece is asked for, so that nothing stays open when none is. */
async function* piecesOf(files: FileStore, name: string): AsyncGenerator<Uint8Array> {
  const file = await files.get(name);
  if (!file) throw new Error(`The file ${name} went away meanwhile. Call it again.`);
  yield* file.stream();
}

async function hashOf(files: FileStore, name: string): Promise<string | undefined> {
  const file = await files.get(name);
  if (!file) return undefined;
  const hash = createHash('sha256');
  for await (const piece of file.stream()) hash.update(piece);
  return hash.digest('hex');
}
