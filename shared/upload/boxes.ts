import { type ByteSource, brokenContainer, latin1 } from './byte-source.ts';

/** A box of an ISO base media file (ISO/IEC 14496-12 section 4.2): MP4, AVIF, HEIF. Offsets are those of the file. */
export type Box = { type: string; content: number; end: number };

const HEADER = 8;
const LARGE_HEADER = 16;
/** More than real videos of the allowed size have, and few enough to be read quickly. */
const BOXES_MAX = 100_000;

/**
 * The boxes between two offsets, up to the first bytes that are none: like players, it ignores what programs leave after
 * the last box.
 * @param needed types that may not end after `end`; others that do are no boxes
 * @throws broken container for a box of a needed type that is cut, and for too many boxes
 */
export async function* boxesIn(
  source: ByteSource,
  { start, end, needed }: { start: number; end: number; needed?: ReadonlySet<string> },
): AsyncGenerator<Box> {
  let at = start;
  for (let count = 0; at < end; count += 1) {
    if (count === BOXES_MAX) throw brokenContainer('too many boxes');
    const box = await boxAt(source, at, end);
    if (!box) return;
    if (box.end > end) {
      if (needed?.has(box.type)) throw brokenContainer(`${box.type} ends after its parent`);
      return;
    }
    yield box;
    at = box.end;
  }
}

/** @returns undefined if there is no header of a box */
async function boxAt(source: ByteSource, at: number, end: number): Promise<Box | undefined> {
  const bytes = await source.read(at, Math.min(LARGE_HEADER, end - at));
  if (bytes.length < HEADER) return undefined;
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const type = latin1(header, 4, 4);
  const size = header.getUint32(0);
  if (size === 0 && end === source.size) return { type, content: at + HEADER, end };
  if (size !== 1) return size < HEADER ? undefined : { type, content: at + HEADER, end: at + size };
  if (bytes.length < LARGE_HEADER) return undefined;
  const large = Number(header.getBigUint64(HEADER));
  return large < LARGE_HEADER ? undefined : { type, content: at + LARGE_HEADER, end: at + large };
}

/** The boxes of a type inside a parent, whose first `skip` bytes are not boxes. */
export async function boxesOf(source: ByteSource, within: Box, type: string, skip = 0): Promise<Box[]> {
  const found: Box[] = [];
  for await (const box of boxesIn(source, { start: within.content + skip, end: within.end })) {
    if (box.type === type) found.push(box);
  }
  return found;
}

/** The first box at the end of a path of types, or undefined. */
export async function boxAtPath(
  source: ByteSource,
  within: Box,
  path: readonly string[],
): Promise<Box | undefined> {
  let current: Box | undefined = within;
  for (const type of path) {
    if (!current) return undefined;
    [current] = await boxesOf(source, current, type);
  }
  return current;
}
