import { brokenContainer } from './broken-container.ts';
import type { ByteSource } from './byte-source.ts';

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
