import { type ByteSource, brokenContainer, latin1, viewOf } from './byte-source.ts';

/** Ids of elements (RFC 9559 section 5). */
const SEGMENT = 0x18538067;
const TRACKS = 0x1654ae6b;
const CLUSTER = 0x1f43b675;
const TRACK_ENTRY = 0xae;
const TRACK_TYPE = 0x83;
const CODEC_ID = 0x86;
const VOID = 0xec;

const VIDEO = 1;
const CODECS: ReadonlySet<string> = new Set(['V_VP8', 'V_VP9', 'V_AV1']);
const CODEC_ID_MAX = 32;
/** More than real videos of the allowed size have, and few enough to be read quickly. */
const ELEMENTS_MAX = 300_000;

/**
 * Whether a WebM file is complete and has a video: elements without gaps to the end of the file, a video track with a WebM
 * codec, and a cluster. The document type is not checked again.
 * @throws broken container
 */
export async function isPlayableWebm(source: ByteSource): Promise<boolean> {
  const start = await segmentStart(source);
  let hasVideo = false;
  let hasCluster = false;
  let at = start;
  for (let count = 0; at < source.size; count += 1) {
    if (count === ELEMENTS_MAX) throw brokenContainer('too many elements');
    const { id, content, end } = await elementAt(source, at);
    if (end === null && id !== CLUSTER) throw brokenContainer('an element without a size');
    if (end !== null && end > source.size) throw brokenContainer('an element ends after the file');
    if (id === TRACKS && end !== null) hasVideo ||= await hasVideoTrack(source, content, end);
    hasCluster ||= id === CLUSTER;
    // Elements in a cluster of unknown size are read like those after it.
    at = end ?? content;
  }
  return hasVideo && hasCluster;
}

/** Offset of the segment's content; the segment must end with the file, or have an unknown size. */
async function segmentStart(source: ByteSource): Promise<number> {
  const head = await elementAt(source, 0);
  for (let at = head.end; at !== null; ) {
    const element = await elementAt(source, at);
    if (element.id === SEGMENT) {
      if (element.end !== null && element.end !== source.size)
        throw brokenContainer('the segment is not the file');
      return element.content;
    }
    if (element.id !== VOID) break;
    at = element.end;
  }
  throw brokenContainer('no segment');
}

async function hasVideoTrack(source: ByteSource, start: number, end: number): Promise<boolean> {
  for await (const track of elementsIn(source, start, end)) {
    if (track.id === TRACK_ENTRY && (await isVideo(source, track.content, track.end))) return true;
  }
  return false;
}

async function isVideo(source: ByteSource, start: number, end: number): Promise<boolean> {
  let type: number | undefined;
  let codec = '';
  for await (const { id, content, end: last } of elementsIn(source, start, end)) {
    const bytes = last - content;
    if (id === TRACK_TYPE && bytes > 0) type = (await viewOf(source, last - 1, 1)).getUint8(0);
    if (id === CODEC_ID && bytes <= CODEC_ID_MAX) {
      codec = latin1(await viewOf(source, content, bytes), 0, bytes).replace(/\0+$/, '');
    }
  }
  return type === VIDEO && CODECS.has(codec);
}

/** An element of an EBML file (RFC 8794); `end` is null for an unknown size, as in live recordings. */
type Element = { id: number; content: number; end: number | null };

const ID_BYTES_MAX = 4;
const SIZE_BYTES_MAX = 8;

/** @throws broken container for an invalid element */
async function elementAt(source: ByteSource, at: number): Promise<Element> {
  const bytes = await source.read(at, ID_BYTES_MAX + SIZE_BYTES_MAX);
  const idBytes = widthOf(bytes[0], ID_BYTES_MAX);
  const sizeBytes = widthOf(bytes[idBytes], SIZE_BYTES_MAX);
  const content = at + idBytes + sizeBytes;
  if (bytes.length < idBytes + sizeBytes) throw brokenContainer('the file ends within an element');
  const size = sizeOf(bytes.subarray(idBytes, idBytes + sizeBytes));
  return { id: numberOf(bytes.subarray(0, idBytes)), content, end: size === null ? null : content + size };
}

/** The elements between two offsets, each of a known size. @throws broken container */
async function* elementsIn(
  source: ByteSource,
  start: number,
  end: number,
): AsyncGenerator<Element & { end: number }> {
  for (let at = start; at < end; ) {
    const element = await elementAt(source, at);
    if (element.end === null || element.end > end) throw brokenContainer('an element ends after its parent');
    yield { ...element, end: element.end };
    at = element.end;
  }
}

/** The number of leading zero bits in the first byte is the number of bytes that follow (RFC 8794 section 4). */
function widthOf(first: number | undefined, most: number): number {
  const width = Math.clz32(first ?? 0) - 23;
  if (width > most) throw brokenContainer('no element');
  return width;
}

/**
 * The bits after the marker; null if all of them are set, for an unknown size. The marker is taken off first: with it, eight
 * bytes exceed 2^53 and lose their last bits. Sizes beyond 2^53 are inexact, but they exceed any file.
 */
function sizeOf(bytes: Uint8Array): number | null {
  const [first = 0, ...others] = bytes;
  const most = 0xff >> bytes.length;
  const value = first & most;
  if (value === most && others.every((byte) => byte === 0xff)) return null;
  return numberOf([value, ...others]);
}

function numberOf(bytes: Iterable<number>): number {
  let value = 0;
  for (const byte of bytes) value = value * 256 + byte;
  return value;
}
