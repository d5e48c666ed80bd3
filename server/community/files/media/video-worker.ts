import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Finding } from '../../../../shared/entities/finding.ts';
import { checkVideo, type VideoKind } from '../../../../shared/upload/media-check.ts';
import { withFileSource } from './files.ts';

export type VideoTask = { path: string; pointer: string };
export type CheckedVideo = { found: Finding } | { kind: VideoKind; bytes: number; sha256: string };

/** Runs in its own thread, since a container may have any number of parts. */
export async function checkVideoFile({ path, pointer }: VideoTask): Promise<CheckedVideo> {
  const { checked, bytes } = await withFileSource(path, async (source) => ({
    checked: await checkVideo(source, pointer),
    bytes: source.size,
  }));
  if ('code' in checked) return { found: checked };
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return { kind: checked, bytes, sha256: hash.digest('hex') };
}
