import { type ByteSource, brokenContainer, latin1, viewOf } from './byte-source.ts';

/** A box of an ISO base media file (ISO/IEC 14496-12 section 4.2): MP4, AVIF, HEIF. Offsets are those of the file. */
export type Box = { type: string; content: number; end: number };

const HEADER = 8;
const LARGE_HEADER = 16;
/** More than real videos of the allowed size have, and few enough to be read quickly. */
const BOXES_MAX = 100_000;
const FOUR_CHARACTERS = /^[\x20-\x7e\xa9]{4}$/;

/**
 * The boxes between two offsets, without gaps.
 * @throws broken container for an invalid box, or one that ends after its parent
 */
export async function* boxesIn(source: ByteSource, start: number, end: number): AsyncGenerator<Box> {
  let at = start;
  for (let count = 0; at < end; count += 1) {
    if (count === BOXES_MAX) throw brokenContainer('too many boxes');
    const box = await boxAt(source, at, end);
    if (box.end > end) throw brokenContainer(`${box.type} ends after its parent`);
    yield box;
    at = box.end;
  }
}

async function boxAt(source: ByteSource, at: number, end: number): Promise<Box> {
  const header = await viewOf(source, at, HEADER);
  const type = latin1(header, 4, 4);
  if (!FOUR_CHARACTERS.test(type)) throw brokenContainer(`no box at byte ${at}`);
  const size = header.getUint32(0);
  if (size === 0 && end === source.size) return { type, content: at + HEADER, end };
  if (size === 1) {
    const large = Number((await viewOf(source, at + HEADER, 8)).getBigUint64(0));
    if (large < LARGE_HEADER) throw brokenContainer(`${type} is smaller than its header`);
    return { type, content: at + LARGE_HEADER, end: at + large };
  }
  if (size < HEADER) throw brokenContainer(`${type} is smaller than its header`);
  return { type, content: at + HEADER, end: at + size };
}

/** The boxes of a type inside a parent, whose first `skip` bytes are not boxes. */
export async function boxesOf(source: ByteSource, within: Box, type: string, skip = 0): Promise<Box[]> {
  const found: Box[] = [];
  for await (const box of boxesIn(source, within.content + skip, within.end)) {
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
