import { VIDEO_BYTES_MAX } from '../constants.ts';
import type { Finding } from '../entities/finding.ts';
import { finding } from '../package/finding-codes.ts';
import { inMegabytes } from '../package/package.ts';
import { type Box, boxAtPath, boxesIn, boxesOf } from './boxes.ts';
import { type ByteSource, fileKindOf, isBrokenContainer, latin1, readAhead, viewOf } from './byte-source.ts';
import { checkImage, type ImageKind } from './image-check.ts';
import { isPlayableWebm } from './webm.ts';

/** What people call a film whose content no longer tells that it is one. */
const FILM_NAME = /\.(?:mp4|m4v|mov|webm|mkv|avi|wmv|flv|ogv|3gp|mpe?g)$/i;

/** Whether a file is to be checked as a video: its content tells, and its name where the content tells neither. */
export async function isMeantAsVideo(source: ByteSource, name: string): Promise<boolean> {
  const mime = (await fileKindOf(source))?.mime ?? '';
  return mime.startsWith('video/') || (!mime.startsWith('image/') && FILM_NAME.test(name));
}

/** Checks what may be a picture or a video: as the one that it is meant as, so that it is refused as that. */
export async function checkMedia(
  source: ByteSource,
  { pointer = '', name = '' }: { pointer?: string; name?: string } = {},
): Promise<Finding | ImageKind | VideoKind> {
  return (await isMeantAsVideo(source, name)) ? checkVideo(source, pointer) : checkImage(source, pointer);
}

/** A video that may be kept. */
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
/** Containers by what their head tells. */
const CONTAINERS: ReadonlyMap<string, Container> = new Map([
  ['mp4', MP4],
  ['m4v', MP4],
  ['webm', WEBM],
]);

/**
 * Checks a video by its content: an MP4 or WebM container that is whole and has a video track, and its size
 * (specification section 5). The same check serves form and server.
 * @param pointer where the form has it
 */
export async function checkVideo(source: ByteSource, pointer = ''): Promise<Finding | VideoKind> {
  const head = await fileKindOf(source);
  const container = CONTAINERS.get(head?.ext ?? '');
  if (!container) return finding('VIDEO_FORMAT', { pointer });
  if (source.size > VIDEO_BYTES_MAX) {
    return finding('VIDEO_TOO_LARGE', { pointer }, { size: inMegabytes(VIDEO_BYTES_MAX) });
  }
  try {
    if (await container.isPlayable(readAhead(source))) return container.kind;
  } catch (error) {
    if (!isBrokenContainer(error)) throw error;
  }
  return finding('VIDEO_FORMAT', { pointer });
}

const OFFSETS_AT_A_TIME = 8192;
/** Where a table of samples or chunks says where it is (ISO/IEC 14496-12 sections 8.7.3 and 8.7.5). */
const TABLES = { stco: 4, co64: 8 } as const;

/**
 * Whether an MP4 file is whole and shows something: boxes without a gap to the end of the file, one film with a video
 * track, and its pictures in this file, in one piece or in fragments (ISO/IEC 14496-12).
 * @throws broken container
 */
async function isPlayableMp4(source: ByteSource): Promise<boolean> {
  const films: Box[] = [];
  const seen = new Set<string>();
  for await (const box of boxesIn(source, 0, source.size)) {
    if (box.type === 'moov') films.push(box);
    if (box.end > box.content) seen.add(box.type);
  }
  const [film, second] = films;
  if (!film || second || !seen.has('mdat')) return false;
  const isFragmented = seen.has('moof') && (await boxAtPath(source, film, ['mvex'])) !== undefined;
  for (const track of await boxesOf(source, film, 'trak')) {
    const samples = await videoSamples(source, track);
    if (samples && (isFragmented || (await areInside(source, samples)))) return true;
  }
  return false;
}

/** The table of samples of a track, if that is a video whose coding is told. */
async function videoSamples(source: ByteSource, track: Box): Promise<Box | undefined> {
  const handler = await boxAtPath(source, track, ['mdia', 'hdlr']);
  if (!handler || latin1(await viewOf(source, handler.content, 12), 8, 4) !== 'vide') return undefined;
  const samples = await boxAtPath(source, track, ['mdia', 'minf', 'stbl']);
  const codings = samples && (await boxAtPath(source, samples, ['stsd']));
  if (!codings || (await viewOf(source, codings.content, 8)).getUint32(4) === 0) return undefined;
  return samples;
}

/** Whether there are samples, and every chunk of them begins in this file. */
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
