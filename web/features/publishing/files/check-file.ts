import type { Finding } from '../../../../shared/entities/finding.ts';

/** A file as the kind it is, or why it cannot be taken. */
export type CheckedMedia = { kind: 'image' | 'video' } | { finding: Finding };

/** Tells a picture or video by its content, and a broken one by its name. The check is fetched when the first file is there. */
export async function checkedMedia(file: File, pointer: string): Promise<CheckedMedia> {
  const [{ checkMedia }, { blobSource }] = await Promise.all([
    import('../../../../shared/upload/media-check.ts'),
    import('../../../../shared/upload/byte-source.ts'),
  ]);
  const found = await checkMedia(blobSource(file), { pointer, name: file.name });
  return 'kind' in found ? { kind: found.kind } : { finding: found };
}

/** The same where only a picture will do. */
export async function checkedPicture(file: File, pointer: string, pixels?: number): Promise<CheckedMedia> {
  const [{ checkImage }, { blobSource }] = await Promise.all([
    import('../../../../shared/upload/image-check.ts'),
    import('../../../../shared/upload/byte-source.ts'),
  ]);
  const found = await checkImage(blobSource(file), pointer, pixels);
  return 'kind' in found ? { kind: 'image' } : { finding: found };
}
