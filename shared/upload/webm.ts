import { type ByteSource, brokenContainer, latin1, viewOf } from './byte-source.ts';

/** Ids of elements (RFC 9559 section 5). */
const SEGMENT = 0x18538067;
const TRACKS = 0x1654ae6b;
const CLUSTER = 0x1f43b675;
const TRACK_ENTRY = 0xae;
const TRACK_TYPE = 0x83;
const CODEC_ID = 0x86;
const VOID = 0xec;

/** What a segment and its clusters hold, besides `Void` and checksums. */
const PARTS: ReadonlySet<number> = new Set([
  ...[0x114d9b74, 0x1549a966, TRACKS, CLUSTER, 0x1c53bb6b, 0x1941a469, 0x1043a770, 0x1254c367],
  ...[0xe7, 0x5854, 0xa7, 0xab, 0xa3, 0xa0],
]);

const VIDEO = 1;
const CODECS: ReadonlySet<string> = new Set(['V_VP8', 'V_VP9', 'V_AV1']);
const CODEC_ID_MAX = 32;
/** More than real videos of the allowed size have, and few enough to be read quickly. */
const ELEMENTS_MAX = 300_000;

/**
 * Whether a WebM file has a video track with a WebM codec. The document type is not checked again. Like players, it ignores
 * what programs leave after the segment.
 * @throws broken container for an incomplete file: without a segment or a cluster, or with a part that is cut
 */
export async function isPlayableWebm(source: ByteSource): Promise<boolean> {
  const segment = await segmentOf(source);
  let hasVideo = false;
  let hasCluster = false;
  let at = segment.content;
  for (let count = 0; at < segment.end; count += 1) {
    if (count === ELEMENTS_MAX) throw brokenContainer('too many elements');
    const element = await elementAt(source, at);
    if (!element) break;
    const { id, content, end } = element;
    if (end === null && id !== CLUSTER) break;
    if (end !== null && end > segment.end) {
      if (PARTS.has(id)) throw brokenContainer('an element ends after its segment');
      break;
    }
    if (id === TRACKS && end !== null) hasVideo ||= await hasVideoTrack(source, content, end);
    hasCluster ||= id === CLUSTER;
    // Elements in a cluster of unknown size are read like those after it.
    at = end ?? content;
  }
  if (!hasCluster) throw brokenContainer('no cluster');
  return hasVideo;
}

/** The first segment; one of unknown size ends with the file. */
async function segmentOf(source: ByteSource): Promise<{ content: number; end: number }> {
  let at = (await elementAt(source, 0))?.end;
  while (at) {
    const element = await elementAt(source, at);
    if (element?.id === SEGMENT) {
      const end = element.end ?? source.size;
      if (end > source.size) throw brokenContainer('the segment ends after the file');
      return { content: element.content, end };
    }
    at = element?.id === VOID ? element.end : undefined;
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

/** @returns undefined if there is no element */
async function elementAt(source: ByteSource, at: number): Promise<Element | undefined> {
  const bytes = await source.read(at, ID_BYTES_MAX + SIZE_BYTES_MAX);
  const idBytes = widthOf(bytes[0]);
  const sizeBytes = widthOf(bytes[idBytes]);
  if (idBytes > ID_BYTES_MAX || sizeBytes > SIZE_BYTES_MAX || bytes.length < idBytes + sizeBytes) {
    return undefined;
  }
  const content = at + idBytes + sizeBytes;
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
    if (!element || element.end === null || element.end > end) throw brokenContainer('no element');
    yield { ...element, end: element.end };
    at = element.end;
  }
}

/** The number of leading zero bits in the first byte is the number of bytes that follow (RFC 8794 section 4). */
function widthOf(first: number | undefined): number {
  return Math.clz32(first ?? 0) - 23;
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
