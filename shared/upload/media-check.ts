import type { Finding } from '../entities/finding.ts';
import type { ByteSource } from './byte-source.ts';
import { fileKindOf } from './file-kind.ts';
import { checkImage, type ImageKind } from './image-check.ts';
import { checkVideo, type VideoKind } from './video-check.ts';

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
