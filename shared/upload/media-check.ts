import { VIDEO_BYTES_MAX } from '../constants.ts';
import type { Finding } from '../entities/finding.ts';
import { finding } from '../package/finding-codes.ts';
import { inMegabytes } from '../package/limits.ts';
import { type ByteSource, fileKindOf, isBrokenContainer, readAhead } from './byte-source.ts';
import { checkImage, type ImageKind } from './image-check.ts';
import { isPlayableMp4 } from './mp4.ts';
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
