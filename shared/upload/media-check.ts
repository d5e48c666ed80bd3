import { VIDEO_BYTES_MAX } from '../constants.ts';
import type { Finding } from '../entities/finding.ts';
import { finding } from '../package/finding-codes.ts';
import { inMegabytes } from '../package/package.ts';
import { type Box, boxAtPath, boxesIn, boxesOf } from './boxes.ts';
import {
  type ByteSource,
  brokenContainer,
  fileKindOf,
  isBrokenContainer,
  latin1,
  readAhead,
  viewOf,
} from './byte-source.ts';
import { checkImage, type ImageKind } from './image-check.ts';
import { isPlayableWebm } from './webm.ts';

/** Video files by name, if their content is not recognised. */
const VIDEO_NAME = /\.(?:mp4|m4v|mov|webm|mkv|avi|wmv|flv|ogv|3gp|mpe?g)$/i;

/** Whether to check a file as a video: by its content, or by its name if the content is neither image nor video. */
export async function isMeantAsVideo(source: ByteSource, name: string): Promise<boolean> {
  if (await containerOf(source)) return true;
  const mime = (await fileKindOf(source))?.mime ?? '';
  return mime.startsWith('video/') || (!mime.startsWith('image/') && VIDEO_NAME.test(name));
}

/** Checks an image or a video; findings are those of the kind that the user most likely meant. */
export async function checkMedia(
  source: ByteSource,
  { pointer = '', name = '' }: { pointer?: string; name?: string } = {},
): Promise<Finding | ImageKind | VideoKind> {
  return (await isMeantAsVideo(source, name)) ? checkVideo(source, pointer) : checkImage(source, pointer);
}

/** An accepted video. */
export type VideoKind = { kind: 'video'; extension: 'mp4' | 'webm'; mime_type: string };

type Container = { kind: VideoKind; isPlayable: (source: ByteSource) => Promise<boolean> };

const MP4: Container = {
  kind: { kind: 'video', extension: 'mp4', mime_type: 'video/mp4' },
  isPlayable: isPlayableMp4,
};
const WEBM: Container = {
  kind: { kind: 'video', extension: 'webm', mime_type: 'video/webm' },
  isPlayable: isPlayableWebm,
};

/** First boxes of MP4, QuickTime and 3GP. Players take all of them for MP4, whatever their brand is. */
const FIRST_BOXES: ReadonlySet<string> = new Set(['ftyp', 'styp', 'moov', 'mdat', 'free', 'skip', 'wide']);

async function containerOf(source: ByteSource): Promise<Container | undefined> {
  const kind = await fileKindOf(source);
  if (kind?.ext === 'webm') return WEBM;
  if (kind?.mime.startsWith('image/')) return undefined;
  const start = await source.read(0, 8);
  const type = start.length < 8 ? '' : latin1(new DataView(start.buffer, start.byteOffset, 8), 4, 4);
  return FIRST_BOXES.has(type) ? MP4 : undefined;
}

/**
 * Checks a video by its content: size (R 5.7), and a complete MP4 or WebM container with a video track (R 16.4).
 * Form and server use the same check.
 * @param pointer place in the form
 */
export async function checkVideo(source: ByteSource, pointer = ''): Promise<Finding | VideoKind> {
  const container = await containerOf(source);
  if (!container) return finding('VIDEO_FORMAT', { pointer });
  if (source.size > VIDEO_BYTES_MAX) {
    return finding('VIDEO_TOO_LARGE', { pointer }, { size: inMegabytes(VIDEO_BYTES_MAX) });
  }
  try {
    const isPlayable = await container.isPlayable(readAhead(source));
    return isPlayable ? container.kind : finding('VIDEO_FORMAT', { pointer });
  } catch (error) {
    if (!isBrokenContainer(error)) throw error;
    return finding('VIDEO_DAMAGED', { pointer });
  }
}

const OFFSETS_AT_A_TIME = 8192;
/** Chunk offset tables with the bytes per entry (ISO/IEC 14496-12 section 8.7.5). */
const TABLES = { stco: 4, co64: 8 } as const;

/** Boxes that players read; one that is cut makes a file incomplete. */
const NEEDED: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'moof']);
/** Codecs that a browser plays (the four-character codes of the MP4 registration authority). */
const CODECS: ReadonlySet<string> = new Set([
  'avc1',
  'avc3',
  'hvc1',
  'hev1',
  'dvh1',
  'dvhe',
  'dva1',
  'dvav',
  'vp08',
  'vp09',
  'av01',
  'dav1',
]);

/**
 * Whether an MP4 file (ISO/IEC 14496-12) has a video track with a codec of browsers. If it has several movies, players take
 * the first.
 * @throws broken container for an incomplete file: without its movie or content, or with one that is cut, or with samples
 * after its end
 */
async function isPlayableMp4(source: ByteSource): Promise<boolean> {
  let movie: Box | undefined;
  const seen = new Set<string>();
  for await (const box of boxesIn(source, { start: 0, end: source.size, needed: NEEDED })) {
    if (box.type === 'moov') movie ??= box;
    if (box.end > box.content) seen.add(box.type);
  }
  if (!movie || !seen.has('mdat')) throw brokenContainer('no movie or no content');
  const isFragmented = seen.has('moof') && (await boxAtPath(source, movie, ['mvex'])) !== undefined;
  let hasVideo = false;
  for (const track of await boxesOf(source, movie, 'trak')) {
    const samples = await videoSamples(source, track);
    if (samples && (isFragmented || (await areInside(source, samples)))) return true;
    hasVideo ||= samples !== undefined;
  }
  if (hasVideo) throw brokenContainer('no samples, or some after the end');
  return false;
}

/** The sample table of a track, if it is a video with a codec of browsers. */
async function videoSamples(source: ByteSource, track: Box): Promise<Box | undefined> {
  const handler = await boxAtPath(source, track, ['mdia', 'hdlr']);
  if (!handler || latin1(await viewOf(source, handler.content, 12), 8, 4) !== 'vide') return undefined;
  const samples = await boxAtPath(source, track, ['mdia', 'minf', 'stbl']);
  const codings = samples && (await boxAtPath(source, samples, ['stsd']));
  if (!codings) return undefined;
  const entries = await Array.fromAsync(boxesIn(source, { start: codings.content + 8, end: codings.end }));
  return entries.some(({ type }) => CODECS.has(type)) ? samples : undefined;
}

/** Whether there are samples, and each of their chunks begins in this file. */
async function areInside(source: ByteSource, samples: Box): Promise<boolean> {
  for (const [type, width] of Object.entries(TABLES)) {
    const [table] = await boxesOf(source, samples, type);
    if (!table) continue;
    const count = (await viewOf(source, table.content, 8)).getUint32(4);
    const start = table.content + 8;
    if (count === 0 || start + count * width > table.end) return false;
    for (let done = 0; done < count; done += OFFSETS_AT_A_TIME) {
      const here = Math.min(OFFSETS_AT_A_TIME, count - done);
      const view = await viewOf(source, start + done * width, here * width);
      for (let place = 0; place < here; place += 1) {
        const offset = width === 4 ? view.getUint32(place * 4) : Number(view.getBigUint64(place * 8));
        if (offset >= source.size) return false;
      }
    }
    return true;
  }
  return false;
}
