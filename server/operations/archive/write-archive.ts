import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import type { OpenFile } from '../../community/media/files.ts';
import { errorCode, startError } from '../../database/errors.ts';
import { type Head, hashEntry, headOf, type Kind } from './format.ts';

/** An archive that is being written: a tar file whose last entry carries the hash of all others. */
export type ArchiveWriter = {
  add(name: string, content: Uint8Array): Promise<void>;
  /** @param bytes exactly what the pieces come to */
  addStream(name: string, bytes: number, pieces: AsyncIterable<Uint8Array>): Promise<void>;
};

type Signer = (hash: string) => Record<string, string>;

/**
 * Writes an archive under another name, which becomes `file` when all of it is durable. Only its owner can read it.
 * @throws start error when it is there already, or cannot be written; nothing is left then
 */
export async function writeArchive(
  { file, kind, sign = () => ({}) }: { file: string; kind: Kind; sign?: Signer },
  work: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  if (existsSync(file)) throw startError(`${file} is there already.`);
  const draft = `${file}.unfinished`;
  const tar = pack();
  const written = pipeline(tar, createWriteStream(draft, { mode: 0o600 }));
  try {
    await Promise.race([written.then(() => undefined), addAll(tar, headOf(kind), sign, work)]);
    await written;
    await makeDurable(draft, file);
  } catch (error) {
    tar.destroy();
    await written.catch(() => undefined);
    const reason = await written.then(
      () => error,
      (cause: unknown) => (errorCode(cause) in REASONS ? cause : error),
    );
    if (errorCode(reason) !== 'EACCES') await rm(draft, { force: true });
    throw fileError(file, reason);
  }
}

async function addAll(
  tar: Pack,
  head: Head,
  sign: Signer,
  work: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const hash = createHash('sha256');
  const addStream: ArchiveWriter['addStream'] = (name, bytes, pieces) =>
    append(tar, { name, bytes }, hashEntry(hash, { name, bytes }, pieces));
  const add: ArchiveWriter['add'] = (name, content) => addStream(name, content.length, one(content));
  await add('head.json', json(head));
  await work({ add, addStream });
  const sha256 = hash.digest('hex');
  const end = json({ sha256, ...sign(sha256) });
  await append(tar, { name: 'end.json', bytes: end.length }, one(end));
  tar.finalize();
}

async function append(
  tar: Pack,
  { name, bytes }: { name: string; bytes: number },
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const entry = tar.entry({ name, size: bytes, mode: 0o600, mtime: new Date(0) });
  await pipeline(Readable.from(pieces, { objectMode: false }), entry);
}

async function* one(content: Uint8Array): AsyncGenerator<Uint8Array> {
  if (content.length > 0) yield content;
}

/** What is in a stored file, which is opened when the first piece is asked for. */
export async function* piecesOf(file: OpenFile): AsyncGenerator<Uint8Array> {
  yield* file.stream();
}

export function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

async function makeDurable(draft: string, file: string): Promise<void> {
  const written = await open(draft, 'r');
  await written.sync().finally(() => written.close());
  await rename(draft, file);
  const folder = await open(dirname(file));
  await folder.sync().finally(() => folder.close());
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'There is no space left',
  EDQUOT: 'There is no space left',
  EACCES: 'There is no permission',
  EROFS: 'There is no permission',
  ENOENT: 'There is no such folder',
};

function fileError(file: string, error: unknown): unknown {
  const reason = REASONS[errorCode(error)];
  return reason ? startError(`${reason} to write ${file}.`, error) : error;
}
