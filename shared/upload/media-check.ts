import type { Finding } from '../entities/finding.ts';
import type { ByteSource } from './byte-source.ts';
import { fileKindOf } from './file-kind.ts';
import { checkImage, type ImageKind } from './image-check.ts';
import { checkVideo, type VideoKind } from './video-check.ts';

/** Checks what may be a picture or a video: as the one that its content makes it; what is neither, as a picture. */
export async function checkMedia(source: ByteSource, pointer = ''): Promise<Finding | ImageKind | VideoKind> {
  const head = await fileKindOf(source);
  return head?.mime.startsWith('video/') ? checkVideo(source, pointer) : checkImage(source, pointer);
}
