import { fileTypeFromBuffer } from 'file-type';

/** A file in a form or on disk that is read in parts. */
export type ByteSource = {
  size: number;
  /** The bytes from `offset`; fewer than `length` at the end of the source. */
  read(offset: number, length: number): Promise<Uint8Array>;
};

/** A file from a form or from drag and drop. */
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
/** Several times the reads that real videos of the allowed size need; they take about a second. */
const READS_MAX = 500_000;

/**
 * Buffers a source that is read forwards in small steps.
 * @throws broken container (from `read`) after too many reads
 */
export function readAhead(source: ByteSource): ByteSource {
  let reads = 0;
  let start = 0;
  let buffer: Uint8Array = new Uint8Array(0);
  return {
    size: source.size,
    async read(offset, length) {
      reads += 1;
      if (reads > READS_MAX) throw brokenContainer('too many parts');
      if (offset < start || offset + length > start + buffer.length) {
        buffer = await source.read(offset, Math.max(length, WINDOW));
        start = offset;
      }
      return buffer.subarray(offset - start, offset - start + length);
    },
  };
}

/** Bytes that are enough to detect the type of a file. */
const HEAD = 16 * 1024;

/**
 * Detects the type of a file from its content; its name and declared type are ignored.
 * @returns undefined for an unknown type
 */
export async function fileKindOf(source: ByteSource): Promise<{ ext: string; mime: string } | undefined> {
  const head = await source.read(0, HEAD);
  return fileTypeFromBuffer(head).catch(() => undefined);
}

/**
 * Reads exactly `length` bytes.
 * @throws broken container if the source ends before
 */
export async function viewOf(source: ByteSource, offset: number, length: number): Promise<DataView> {
  const bytes = await source.read(offset, length);
  if (bytes.length < length) throw brokenContainer(`the file ends before byte ${offset + length}`);
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}

/** Decodes Latin-1, where each byte is one character. */
export function latin1(view: DataView, offset: number, length: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + offset, length));
}

const NAME = 'BrokenContainer';

/** The error of a file with an invalid structure; the reason is for developers. */
export function brokenContainer(reason: string): Error {
  const error = new Error(reason);
  error.name = NAME;
  return error;
}

export function isBrokenContainer(error: unknown): boolean {
  return error instanceof Error && error.name === NAME;
}
