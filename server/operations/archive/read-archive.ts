import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { errorCode, isStartError, startError } from '../../database/errors.ts';
import { assertHead, hashEntry, type Kind } from './format.ts';

export type Entry = { name: string; bytes: number; pieces: AsyncIterable<Uint8Array> };

const endSchema = Type.Object({
  sha256: Type.String(),
  public_key: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String()),
});

/** The last entry: the hash of all others, and in a bundle who vouches for it. */
export type End = Static<typeof endSchema>;

type Source = { file: string; kind: Kind };

/**
 * Reads an archive to its end, giving every entry between the first and the last to `take`, one after another, which
 * reads it whole or not at all.
 * @throws start error when it cannot be read, is another kind of file, is cut off or was changed
 */
export async function readArchive(
  { file, kind }: Source,
  take: (entry: Entry) => Promise<void> = async () => undefined,
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
      const pieces = hashEntry(hash, { name, bytes }, bytesOf(entry));
      if (isFirst) assertHead(file, kind, JSON.parse((await collect(pieces)).toString()));
      else await take({ name, bytes, pieces });
      isFirst = false;
      for await (const _rest of pieces);
    }
    await reading;
  } catch (error) {
    tar.destroy();
    throw readError({ file, kind }, error, isFirst);
  }
  if (isFirst) assertHead(file, kind, undefined);
  if (!Value.Check(endSchema, end)) throw startError(`${file} is cut off: its end is missing.`);
  if (end.sha256 !== hash.digest('hex'))
    throw startError(`${file} was changed or damaged: its hash does not fit.`);
  return end;
}

async function* bytesOf(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const piece of entry) if (piece instanceof Uint8Array) yield piece;
}

/** All bytes of a small entry. */
export async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(pieces));
}

function readError({ file, kind }: Source, error: unknown, isFirst: boolean): unknown {
  if (isStartError(error)) return error;
  const code = errorCode(error);
  if (code !== '') return startError(`${file} cannot be read (${code}).`, error);
  const message = error instanceof Error ? error.message : '';
  const isCut = /Unexpected end/.test(message);
  if (!isCut && !/Invalid tar header/.test(message)) return error;
  if (isFirst) return startError(`${file} is no ${kind} of Plugin Square.`, error);
  return startError(isCut ? `${file} is cut off.` : `${file} is damaged.`, error);
}
