import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract, type Pack, pack } from 'tar-stream';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { VERSION } from '../config.ts';
import { errorCode, isStartError, startError } from '../database/errors.ts';
import { syncFolder } from './durable-write.ts';

/*
 * An archive is a tar file: `head.json` with its format, the entries, and `end.json` with the SHA-256 of everything before,
 * which a bundle signs.
 */

type Kind = 'backup' | 'bundle';
type Source = { file: string; kind: Kind };

const FORMAT_VERSION = 1;

const headSchema = Type.Object({
  format: Type.String(),
  format_version: Type.Integer(),
  release: Type.String(),
});

const endSchema = Type.Object({
  sha256: Type.String(),
  public_key: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String()),
});

/** The last entry: the hash of all others and, in a bundle, its signature. */
export type End = Static<typeof endSchema>;

export type Entry = { name: string; bytes: number; pieces: AsyncIterable<Uint8Array> };

export type ArchiveWriter = {
  add(name: string, content: Uint8Array): Promise<void>;
  /** @param bytes exact length of all pieces */
  addStream(name: string, bytes: number, pieces: AsyncIterable<Uint8Array>): Promise<void>;
};

type Signer = (hash: string) => Record<string, string>;

/**
 * Writes an archive that only its owner can read. It is written as `FILE.unfinished` and renamed when all of it is durable.
 * @throws start error when the file exists or cannot be written; the unfinished file is deleted
 */
export async function writeArchive(
  { file, kind, sign = () => ({}) }: Source & { sign?: Signer },
  addEntries: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  if (existsSync(file)) throw startError(`${file} already exists.`);
  const draft = `${file}.unfinished`;
  const tar = pack();
  const written = pipeline(tar, createWriteStream(draft, { mode: 0o600, flush: true }));
  try {
    await Promise.race([written.then(() => undefined), writeEntries(tar, kind, sign, addEntries)]);
    await written;
    await rename(draft, file);
    await syncFolder(dirname(file));
  } catch (error) {
    tar.destroy();
    const reason = await written.then(
      () => error,
      (cause: unknown) => (errorCode(cause) in WRITE_ERRORS ? cause : error),
    );
    if (errorCode(reason) !== 'EACCES') await rm(draft, { force: true });
    const message = WRITE_ERRORS[errorCode(reason)];
    throw message ? startError(`${message} to write ${file}.`, reason) : reason;
  }
}

const WRITE_ERRORS: Readonly<Record<string, string>> = {
  ENOSPC: 'There is no space left',
  EDQUOT: 'There is no space left',
  EACCES: 'There is no permission',
  EROFS: 'There is no permission',
  ENOENT: 'There is no such folder',
};

async function writeEntries(
  tar: Pack,
  kind: Kind,
  sign: Signer,
  addEntries: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const hash = createHash('sha256');
  const addStream: ArchiveWriter['addStream'] = (name, bytes, pieces) =>
    append(tar, name, bytes, hashEntry(hash, name, bytes, pieces));
  const add: ArchiveWriter['add'] = (name, content) => addStream(name, content.length, one(content));
  await add('head.json', json({ format: formatOf(kind), format_version: FORMAT_VERSION, release: VERSION }));
  await addEntries({ add, addStream });
  const sha256 = hash.digest('hex');
  const end = json({ sha256, ...sign(sha256) });
  await append(tar, 'end.json', end.length, one(end));
  tar.finalize();
}

async function append(tar: Pack, name: string, bytes: number, pieces: AsyncIterable<Uint8Array>) {
  const entry = tar.entry({ name, size: bytes, mode: 0o600, mtime: new Date(0) });
  await pipeline(Readable.from(pieces, { objectMode: false }), entry);
}

async function* one(content: Uint8Array): AsyncGenerator<Uint8Array> {
  if (content.length > 0) yield content;
}

/** The content of a stored file, which is opened when the first piece is read. */
export async function* piecesOf(file: { stream(): AsyncIterable<Uint8Array> }): AsyncGenerator<Uint8Array> {
  yield* file.stream();
}

const FILES = 'files/';

/** The entry of a stored file. */
export const entryOfFile = (name: string): string => FILES + name;
export const fileOfEntry = (entry: string): string | undefined => nameIn(FILES, entry);

/** What follows the prefix of an entry, if it has that one. */
export function nameIn(prefix: string, entry: string): string | undefined {
  return entry.startsWith(prefix) ? entry.slice(prefix.length) : undefined;
}

export function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/**
 * Reads a whole archive and passes each entry except the first and the last to `onEntry`, which may leave it unread.
 * @param expected hash of an earlier reading, for the second one of a file that may change meanwhile
 * @throws start error when the file cannot be read, is not such an archive, is truncated or was changed
 */
export async function readArchive(
  { file, kind, expected }: Source & { expected?: string },
  onEntry: (entry: Entry) => Promise<void> = async () => undefined,
): Promise<End> {
  const tar = extract();
  const reading = pipeline(createReadStream(file), tar);
  reading.catch(() => undefined);
  const hash = createHash('sha256');
  let isFirst = true;
  let end: unknown;
  try {
    for await (const entry of tar) {
      const { name, size: bytes = 0 } = entry.header;
      if (isFirst && name !== 'head.json') assertHead(file, kind, undefined);
      if (name === 'end.json') {
        end = JSON.parse((await buffer(entry)).toString());
        continue;
      }
      const pieces = hashEntry(hash, name, bytes, entry);
      if (isFirst) assertHead(file, kind, JSON.parse((await collect(pieces)).toString()));
      else await onEntry({ name, bytes, pieces });
      isFirst = false;
      for await (const _rest of pieces);
    }
    await reading;
  } catch (error) {
    tar.destroy();
    throw readError({ file, kind }, error, isFirst);
  }
  if (isFirst) assertHead(file, kind, undefined);
  if (!Value.Check(endSchema, end)) throw startError(`${file} is truncated: its end is missing.`);
  if (end.sha256 !== hash.digest('hex'))
    throw startError(`${file} was changed or damaged: its hash does not match.`);
  if (expected !== undefined && end.sha256 !== expected)
    throw startError(`${file} was changed while it was read.`);
  return end;
}

/** All bytes of a small entry. */
export async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(pieces));
}

/** Adds name, size and content of an entry to the hash while the pieces are read. */
async function* hashEntry(
  hash: Hash,
  name: string,
  bytes: number,
  pieces: AsyncIterable<unknown>,
): AsyncGenerator<Uint8Array> {
  hash.update(`${name}\n${bytes}\n`);
  for await (const piece of pieces) {
    if (!(piece instanceof Uint8Array)) continue;
    hash.update(piece);
    yield piece;
  }
}

function formatOf(kind: Kind): string {
  return `plugin-square ${kind}`;
}

/** @throws start error for another kind of file, or a format version that this release does not support */
function assertHead(file: string, kind: Kind, value: unknown): void {
  if (!Value.Check(headSchema, value) || value.format !== formatOf(kind))
    throw startError(`${file} is not a Plugin Square ${kind}.`);
  if (value.format_version !== FORMAT_VERSION)
    throw startError(
      `${file} was written by release ${value.release} in format ${value.format_version}; this release reads ${FORMAT_VERSION}.`,
    );
}

function readError({ file, kind }: Source, error: unknown, isFirst: boolean): unknown {
  if (isStartError(error)) return error;
  const code = errorCode(error);
  if (code !== '') return startError(`${file} cannot be read (${code}).`, error);
  const message = error instanceof Error ? error.message : '';
  const isTruncated = /Unexpected end/.test(message);
  if (!isTruncated && !/Invalid tar header/.test(message)) return error;
  if (isFirst) return startError(`${file} is not a Plugin Square ${kind}.`, error);
  return startError(isTruncated ? `${file} is truncated.` : `${file} is damaged.`, error);
}
