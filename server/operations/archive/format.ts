import type { Hash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { VERSION } from '../../config.ts';
import { startError } from '../../database/errors.ts';

/** What an archive is for. */
export type Kind = 'backup' | 'bundle';

const FORMAT_VERSION = 1;

const headSchema = Type.Object({
  format: Type.String(),
  format_version: Type.Integer(),
  release: Type.String(),
});

export type Head = Static<typeof headSchema>;

export function headOf(kind: Kind): Head {
  return { format: formatOf(kind), format_version: FORMAT_VERSION, release: VERSION };
}

/** @throws start error when a file is something else, or of a format that this release does not know */
export function assertHead(file: string, kind: Kind, value: unknown): void {
  if (!Value.Check(headSchema, value) || value.format !== formatOf(kind))
    throw startError(`${file} is no ${kind} of Plugin Square.`);
  if (value.format_version !== FORMAT_VERSION)
    throw startError(
      `${file} was written by release ${value.release} in format ${value.format_version}; this release reads ${FORMAT_VERSION}.`,
    );
}

function formatOf(kind: Kind): string {
  return `plugin-square ${kind}`;
}

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
