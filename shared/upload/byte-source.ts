import { fileTypeFromBuffer } from 'file-type';

/** Bytes that are read in pieces: a file of a form, or one on disk. */
export type ByteSource = {
  size: number;
  /** The bytes from `offset` on; fewer than `length` where the source ends. */
  read(offset: number, length: number): Promise<Uint8Array>;
};

/** A file as forms and drag-and-drop hand it over. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    read: async (offset, length) =>
      new Uint8Array(await blob.slice(offset, Math.min(offset + length, blob.size)).arrayBuffer()),
  };
}

export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  };
}

const WINDOW = 64 * 1024;
/** Pieces asked of one file: several times what a recording of the allowed size has, read in about a second. */
const READS_MAX = 500_000;

/**
 * The same bytes, fetched in larger pieces: for those who jump forwards in small steps.
 * @throws broken container (when read) for a file that is nothing but small steps
 */
export function readAhead(source: ByteSource): ByteSource {
  let reads = 0;
  let start = 0;
  let held: Uint8Array = new Uint8Array(0);
  return {
    size: source.size,
    async read(offset, length) {
      reads += 1;
      if (reads > READS_MAX) throw brokenContainer('too many parts');
      if (offset < start || offset + length > start + held.length) {
        held = await source.read(offset, Math.max(length, WINDOW));
        start = offset;
      }
      return held.subarray(offset - start, offset - start + length);
    },
  };
}

/** As much of a file as tells its kind. */
const HEAD = 16 * 1024;

/**
 * What a file is, told by its content alone: never by its name, nor by the type that was declared for it.
 * @returns undefined for what is of no known kind
 */
export async function fileKindOf(source: ByteSource): Promise<{ ext: string; mime: string } | undefined> {
  const head = await source.read(0, HEAD);
  return fileTypeFromBuffer(head).catch(() => undefined);
}

/**
 * A view of exactly so many bytes.
 * @throws broken container where the source ends before
 */
export async function viewOf(source: ByteSource, offset: number, length: number): Promise<DataView> {
  const bytes = await source.read(offset, length);
  if (bytes.length < length) throw brokenContainer(`the file ends before byte ${offset + length}`);
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}

/** Bytes as the characters of their numbers. */
export function latin1(view: DataView, offset: number, length: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + offset, length));
}

const NAME = 'BrokenContainer';

/** A file whose structure contradicts itself or ends too early; the reason is for developers. */
export function brokenContainer(reason: string): Error {
  const error = new Error(reason);
  error.name = NAME;
  return error;
}

export function isBrokenContainer(error: unknown): boolean {
  return error instanceof Error && error.name === NAME;
}
