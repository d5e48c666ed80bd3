import { brokenContainer } from './broken-container.ts';
import type { ByteSource } from './byte-source.ts';

/** An element of an EBML file (RFC 8794); `end` is null where a live recording left its size open. */
export type Element = { id: number; content: number; end: number | null };

const ID_BYTES_MAX = 4;
const SIZE_BYTES_MAX = 8;

/** @throws broken container for what is no element */
export async function elementAt(source: ByteSource, at: number): Promise<Element> {
  const bytes = await source.read(at, ID_BYTES_MAX + SIZE_BYTES_MAX);
  const idBytes = widthOf(bytes[0], ID_BYTES_MAX);
  const sizeBytes = widthOf(bytes[idBytes], SIZE_BYTES_MAX);
  const content = at + idBytes + sizeBytes;
  if (bytes.length < idBytes + sizeBytes) throw brokenContainer('the file ends within an element');
  const size = numberOf(bytes, idBytes, sizeBytes) - 2 ** (7 * sizeBytes);
  const isOpen = size === 2 ** (7 * sizeBytes) - 1;
  return { id: numberOf(bytes, 0, idBytes), content, end: isOpen ? null : content + size };
}

/** The elements between two places, each of a known size. @throws broken container */
export async function* elementsIn(
  source: ByteSource,
  start: number,
  end: number,
): AsyncGenerator<Element & { end: number }> {
  for (let at = start; at < end; ) {
    const element = await elementAt(source, at);
    if (element.end === null || element.end > end)
      throw brokenContainer('an element ends behind its surroundings');
    yield { ...element, end: element.end };
    at = element.end;
  }
}

/** Leading zeros of the first byte tell how many bytes follow (RFC 8794 section 4). */
function widthOf(first: number | undefined, most: number): number {
  const width = Math.clz32(first ?? 0) - 23;
  if (width > most) throw brokenContainer('no element');
  return width;
}

/** Sizes of more than 2^53 lose digits, and lie behind the end of any file all the same. */
function numberOf(bytes: Uint8Array, offset: number, length: number): number {
  let value = 0;
  for (let place = offset; place < offset + length; place += 1) value = value * 256 + (bytes[place] ?? 0);
  return value;
}
