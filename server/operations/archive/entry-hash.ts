import type { Hash } from 'node:crypto';

/** Adds an entry to the hash of an archive, name and size first, while its pieces pass. */
export async function* hashEntry(
  hash: Hash,
  { name, bytes }: { name: string; bytes: number },
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  hash.update(`${name}\n${bytes}\n`);
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}
